"use strict";

import { byId, counted, foreign, make } from "./dom.js";
import { Item } from "./item.js";
import { Queue } from "./queue.js";
import { digitsAreScores, namedScores, numbersOf } from "./scale.js";

/** Seconds that a translation is assumed to take, before the judge's own times are known. */
const ASSUMED = 25;
/** Items after which the judge's own times are used. */
const KNOWN_AFTER = 5;
/** Seconds until a page that waits for the campaign or the server asks again. */
const ASK_AGAIN = 15;

const NOT_VALID = "This link is not valid. Ask the person who sent it to you for a new one.";
const REASONS = [
  "I cannot understand the source",
  "The text is damaged or empty",
  "The text is in a language that I do not know",
  "I know this translation or have worked on it",
];

const token = location.hash.slice(1);
const judgeKey = `rate/${digest(token)}`;

let list; // what the server has sent
let queue;
let place = null; // that is shown, from 0
let item = null; // what shows it
let proceed = null; // what Next does
let shown = 0; // when it was shown, in seconds since 1970
let completion = null;
let timer = 0; // of the next try to start
let watch = null; // of the time that an item takes
const seconds = [];

/** Ask the server; throws where it cannot be reached. */
function ask(path, content, patience = 30) {
  const method = content === undefined ? "GET" : "POST";
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(1000 * patience);
  // Browsers finish small requests with "keepalive" after the page is closed.
  const keepalive = content !== undefined && content.length < 15_000;
  return fetch(new URL(`api/${path}`, import.meta.url), { method, headers, body: content, signal, keepalive });
}

async function start() {
  if (!/^[\x21-\x7e]+$/.test(token)) return say("This link is incomplete", NOT_VALID);
  let response;
  try {
    response = await ask("list");
    if (response.status === 401) return say("This link is not valid", (await response.json()).message);
    if (response.status === 503) {
      const kept = "Answers of yours that are not stored yet are kept on this device and sent again.";
      say("The server cannot open your texts at the moment", `${kept} This page tries again by itself.`);
      return startAgain();
    }
    if (!response.ok) throw new Error(String(response.status));
    list = await response.json();
  } catch {
    say("The server cannot be reached", "Check your connection. This page tries again by itself.");
    return startAgain();
  }
  completion = list.completion;
  document.title = list.title;
  queue ??= new Queue(digest(token), ask, queueChanged, replied);
  if (list.state === "closed" || list.state === "stopped") queue.forget();
  queue.restore(list.places);
  overlay();
  queue.send();
  const ended = ["closed", "stopped"].includes(list.state); // texts are not sent any more
  if (!list.places.length && !ended) {
    say("There is nothing to rate", "Your list is empty. Tell the person who sent you the link.");
  } else if (list.state !== "open" && list.completion === null) {
    notOpen(list.state);
    startAgain();
  } else if (firstOpen() === null) {
    finish();
  } else if (typeof history.state?.place === "number" && list.places[history.state.place]) {
    show(history.state.place, false);
  } else {
    welcome();
  }
}

/** Send again what the server does not have any more, after it was started again. */
async function lookAgain() {
  try {
    const response = await ask("list");
    if (!response.ok) return;
    queue.restore((await response.json()).places);
    queue.send();
  } catch {
    // the next answer that is sent shows whether it can be reached
  }
}

function startAgain() {
  clearTimeout(timer);
  timer = setTimeout(start, 1000 * ASK_AGAIN);
}

/** Put what waits to be sent over what the server has. */
function overlay() {
  for (const each of queue.all()) {
    const at = list.places[each.place];
    if (!at) continue;
    if (each.position === undefined) at.comment = each.text;
    else if (each.refused) at.answers[each.position] = null;
    else at.answers[each.position] = { score: each.score, reason: each.reason };
  }
}

// Screens

/** Leave the item that was shown. */
function clear() {
  place = item = proceed = watch = null;
  byId("top").hidden = true;
}

/** A page with a heading and nothing to do. */
function say(heading, ...paragraphs) {
  clear();
  const said = byId("main").querySelector(".said");
  if (said?.textContent === heading + paragraphs.join("")) return; // screen readers need not say it again
  const title = make("h1", { textContent: heading, tabIndex: -1 });
  replace(make("div", { className: "message said" }, title, ...paragraphs.map((text) => make("p", { textContent: text }))));
  title.focus();
}

function notOpen(state) {
  const kept = queue.waiting().length;
  const heading = { new: "Not open yet", paused: "Paused" }[state] ?? "Closed";
  const text = {
    new: "The campaign is not open yet. Keep this link: this page opens by itself as soon as you can begin.",
    paused: "The campaign is paused. Keep this link: this page goes on by itself as soon as ratings are taken again.",
  }[state];
  const closed = "The campaign is closed: ratings are not taken any more. Thank you for your work.";
  const rest = `${counted(kept, "answer", "answers")} of yours came too late and ${kept === 1 ? "is" : "are"} kept on this device. Tell the person who sent you the link if they should count.`;
  const waits = `${counted(kept, "answer is", "answers are")} kept on this device and sent then.`;
  say(heading, text ?? closed, ...(kept ? [text ? waits : rest] : []));
}

function welcome() {
  const next = firstOpen();
  const count = list.places.length;
  const trained = next > 0 || !list.training.length || kept("trained");
  const begin = () => (trained ? show(next) : train(0));
  const perPlace = ASSUMED * list.places[0].texts.length;
  const open = list.places.filter(isOpen).length;
  const title = make("h1", { tabIndex: -1, textContent: list.title, dir: "auto" });
  const shownFirst = counted(list.training.length, "example with feedback comes", "examples with feedback come");
  const examples = `${shownFirst} first. Scores of examples are not stored.`;
  const what = list.presentation === "single" ? "translations" : "pages with several translations each";
  const left = next > 0 ? `${open.toLocaleString("en")} of ${count.toLocaleString("en")}` : count.toLocaleString("en");
  const button = make("button", {
    className: "main",
    textContent: next > 0 ? `Go on at ${next + 1}` : trained ? "Begin" : "Begin with the examples",
    onclick: begin,
  });
  clear();
  proceed = begin;
  replace(
    make(
      "div",
      { className: "message" },
      make("p", { className: "eyebrow", textContent: next > 0 ? "Welcome back" : "Welcome" }),
      title,
      list.instructions ? foreign("p", list.instructions, "plain") : null,
      make("h2", { textContent: "What you rate" }),
      foreign("p", list.question, "question"),
      scaleTable(),
      make("h2", { textContent: "How long it takes" }),
      make("p", {
        textContent: `${left} ${count === 1 ? what.replace("translations", "translation").replace("pages", "page") : what} ${next > 0 ? "are left" : "wait for you"}. That takes ${duration(open * perPlace)}, in as many sittings as you like.`,
      }),
      trained ? null : make("p", { textContent: examples }),
      make("p", { textContent: "You can close this page at any time and continue with the same link, on another device too." }),
      make("div", { className: "buttons" }, button),
    ),
  );
  title.focus();
}

function scaleTable() {
  const named = namedScores(list.scale);
  const { lowest, highest, step } = list.scale;
  const range = `A score from ${lowest} to ${highest}${step === 1 ? "" : ` in steps of ${step}`}; more is better.`;
  const rows = named.map(([number, name]) => make("div", {}, make("dt", { textContent: number }), foreign("dd", name)));
  return make("div", {}, make("p", { textContent: range }), rows.length ? make("dl", { className: "named" }, ...rows) : null);
}

function train(at) {
  clear();
  const example = list.training[at];
  const { lowest, highest, feedback } = example;
  const last = at + 1 === list.training.length;
  const button = make("button", { className: "main", textContent: "Check" });
  let checked = false;
  proceed = () => {
    if (checked) {
      if (!last) return train(at + 1);
      keep("trained", "yes");
      return show(firstOpen());
    }
    if (item.missing) return hint(item.missing, true);
    checked = true;
    button.textContent = last ? "Begin with the texts" : "Next example";
    const [score] = item.scores;
    const expected = lowest === highest ? `${lowest}` : `${lowest} to ${highest}`;
    const fits = lowest <= score && score <= highest;
    const verdict = fits
      ? `Your score ${score} is as expected (${expected}).`
      : `Your score is ${score}; the expected score is ${expected}.`;
    item.showBelow(
      make("p", { className: fits ? "fits" : "differs", textContent: verdict }),
      ...(feedback ? [foreign("p", feedback, "plain")] : []),
    );
  };
  button.onclick = () => proceed();
  showItem({
    heading: `Example ${at + 1} of ${list.training.length}`,
    source: example.source,
    texts: [example.text],
    scores: [null],
    together: false,
    notes: [],
    comment: null,
    buttons: [button],
    chosen: () => hint(""),
  });
  byId("left").textContent = "";
}

function show(at, push = true) {
  const { source, texts, answers, comment } = list.places[at];
  place = at;
  if (push) history.pushState({ place: at }, "");
  else history.replaceState({ place: at }, "");
  const skipped = answers.find((answer) => answer !== null && answer.score === null);
  const back = make("button", { textContent: "Back", disabled: at === 0, onclick: goBack });
  const skip = make("button", { textContent: "Skip…", onclick: openSkip });
  const next = make("button", { className: "main", textContent: "Next", onclick: goOn });
  const first = firstOpen();
  const jump = make("button", { textContent: `Go to ${(first ?? 0) + 1}`, onclick: () => leave() && show(firstOpen() ?? at) });
  proceed = goOn;
  showItem({
    heading: `${at + 1} of ${list.places.length}`,
    source,
    texts,
    scores: answers.map((answer) => answer?.score ?? null),
    together: list.presentation !== "single",
    notes: skipped ? [`You skipped this: ${skipped.reason}. You can still rate it.`] : [],
    comment,
    buttons: [back, skip, ...(first !== null && at < first - 1 ? [jump] : []), next],
    chosen: () => hint(""),
  });
  document.title = `${at + 1} of ${list.places.length} – ${list.title}`;
  shown = now();
  watch = isOpen(list.places[at]) ? { since: performance.now(), spent: 0 } : null;
  progress();
}

function showItem(settings) {
  item = new Item({ question: list.question, scale: list.scale, ...settings });
  byId("top").hidden = false;
  byId("title").textContent = list.title;
  replace(item.node);
  scrollTo(0, 0);
  item.heading.focus({ preventScroll: true });
  progress();
}

function finish() {
  const code = completion;
  // What waits after the end of the campaign is not stored any more.
  const pending = code === null || (queue.waiting().length > 0 && ["open", "paused"].includes(list.state));
  say(pending ? "Almost done" : "Thank you!");
  const frame = byId("main").firstElementChild;
  if (pending) {
    frame.append(make("p", { textContent: "All texts are rated. Leave this page open until the last answers are sent." }));
  } else {
    const output = make("output", { className: "code", textContent: code, "aria-label": "Completion code" });
    const copy = make("button", { className: "main", textContent: "Copy the code" });
    copy.onclick = async () => {
      copy.textContent = (await copied(code, output)) ? "Copied" : "Select the code and copy it";
    };
    frame.append(
      make("p", { textContent: "All texts are rated, and all answers are stored. This is your completion code:" }),
      output,
      make("div", { className: "buttons" }, copy),
      make("p", { textContent: "Keep the code if the organisers ask for it. You can close this page now." }),
    );
  }
  frame.classList.remove("said");
  if (list.state === "open") {
    const last = list.places.length - 1;
    frame.append(make("button", { className: "quiet", textContent: "Look at my answers again", onclick: () => show(last) }));
  }
  document.title = list.title;
}

// Going from place to place

function goOn() {
  const { answers } = list.places[place];
  const complete = answers.every((answer) => answer !== null);
  if (item.fault || (item.missing && !complete)) return hint(item.missing, true);
  leave();
  const next = place + 1 < list.places.length ? place + 1 : firstOpen();
  if (next === null) {
    history.pushState({ place: "end" }, "");
    finish();
    if (!queue.waiting().length && completion === null) start();
  } else {
    show(next);
  }
}

function goBack() {
  if (place === 0) return;
  leave();
  show(place - 1);
}

/** Keep what was entered; returns true. */
function leave() {
  if (item === null || place === null) return true;
  const at = list.places[place];
  const given = Math.max(shown, now());
  const records = item.scores.flatMap((score, position) =>
    score === null || score === (at.answers[position]?.score ?? null) ? [] : [answer(position, score, null, given)],
  );
  store(records);
  return true;
}

function skipWith(reason) {
  const given = Math.max(shown, now());
  const open = item.scores.map((score, position) => (score === null ? position : null)).filter((p) => p !== null);
  const positions = open.length ? open : item.scores.map((_, position) => position);
  const rated = item.scores.flatMap((score, position) =>
    positions.includes(position) || score === (list.places[place].answers[position]?.score ?? null)
      ? []
      : [answer(position, score, null, given)],
  );
  store([...rated, ...positions.map((position) => answer(position, null, reason, given))]);
  item = null;
  const next = place + 1 < list.places.length ? place + 1 : firstOpen();
  if (next !== null) return show(next);
  history.pushState({ place: "end" }, "");
  finish();
}

const answer = (position, score, reason, given) => ({ place, position, score, reason, shown, given });

function store(records) {
  const at = list.places[place];
  const comment = item.comment;
  const comments = comment.trim() === at.comment.trim() ? [] : [{ place, text: comment }];
  if (records.length && watch !== null) {
    seconds.push(spent());
    watch = null;
  }
  for (const { position, score, reason } of records) at.answers[position] = { score, reason };
  at.comment = comment;
  if (records.length || comments.length) queue.add(...records, ...comments);
}

const isOpen = (each) => each.answers.some((answer) => answer === null);

/** The first place without all answers; null if there is none. */
function firstOpen() {
  const found = list.places.findIndex(isOpen);
  return found < 0 ? null : found;
}

// Time

const now = () => Date.now() / 1000;

/** Seconds for which the item was in view. */
function spent() {
  return (watch.spent + (document.hidden ? 0 : performance.now() - watch.since)) / 1000;
}

document.addEventListener("visibilitychange", () => {
  if (watch !== null && document.hidden) watch.spent += performance.now() - watch.since;
  if (watch !== null && !document.hidden) watch.since = performance.now();
  if (document.hidden) leave();
});

function duration(total) {
  const minutes = Math.round(total / 60);
  if (minutes < 2) return "a minute or two";
  if (minutes < 10) return `about ${minutes} minutes`;
  if (minutes < 90) return `about ${5 * Math.round(minutes / 5)} minutes`;
  const hours = Math.round(minutes / 30) / 2;
  return `about ${hours} hours`;
}

function progress() {
  const open = list.places.filter(isOpen).length;
  const bar = byId("progress");
  bar.max = list.places.length;
  bar.value = list.places.length - open;
  const sorted = [...seconds].sort((a, b) => a - b);
  const known = sorted.length >= KNOWN_AFTER && open > 0;
  byId("left").textContent = known ? `${duration(open * sorted[sorted.length >> 1])} left` : "";
}

// What the queue and the server say

function queueChanged() {
  if (!list) return;
  overlay();
  notice();
  if (place !== null) progress();
}

function notice() {
  const all = queue.all();
  const refused = all.filter((each) => each.refused);
  const waiting = all.length - refused.length;
  const kept = queue.volatile ? "only on this open page" : "on this device";
  const many = `${counted(waiting, "answer", "answers")} ${waiting === 1 ? "is" : "are"} kept ${kept}`;
  const texts = [];
  if (queue.state === "invalid") texts.push(`${NOT_VALID} ${waiting ? `${many}.` : ""}`);
  else if (waiting && queue.state === "offline") {
    texts.push(`No connection to the server. ${many} and sent when it is back. You can go on.`);
  } else if (waiting && queue.state === "busy") {
    texts.push(`The server cannot take answers at the moment. ${many} and sent again. You can go on.`);
  } else if (waiting && queue.state === "held" && list.state === "paused") {
    texts.push(`The campaign is paused. ${many} and sent when it goes on.`);
  }
  if (queue.volatile) texts.push("This browser keeps nothing for this page: leave it open until all answers are sent.");
  if (refused.length) {
    const where = [...new Set(refused.map((each) => each.place + 1))].join(", ");
    texts.push(`The server refused what you entered at ${where}: ${refused[0].refused}. Go back and enter it again; if that does not help, tell the person who sent you the link.`);
  }
  const text = texts.join(" ");
  if (byId("notice").textContent !== text) byId("notice").textContent = text;
}

function replied(reply) {
  if (!list) return;
  const ended = place === null && history.state?.place === "end";
  list.state = reply.state;
  completion = reply.completion;
  if (reply.server !== list.server) {
    list.server = reply.server;
    lookAgain();
  }
  if (reply.state === "closed" || reply.state === "stopped") {
    if (completion !== null) return finish();
    notOpen(reply.state);
    startAgain();
  } else if (ended) {
    finish();
  }
}

window.addEventListener("beforeunload", (event) => {
  if (!list) return;
  leave();
  // What is kept on this device and on its way needs no warning.
  if (queue.waiting().length && (queue.state !== "ok" || queue.volatile)) event.preventDefault();
});

// The judge went back or forward in the browser, or opened another link in this tab.
window.addEventListener("hashchange", () => location.reload());
window.addEventListener("popstate", (event) => {
  if (!list?.places.length || location.hash.slice(1) !== token) return;
  leave();
  const at = event.state?.place;
  if (typeof at === "number" && list.places[at]) show(at, false);
  else if (at === "end" && firstOpen() === null) finish();
  else welcome();
});

// Keys

document.addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || document.querySelector("dialog[open]")) return;
  const writes = target.matches("textarea, input[type=text]");
  if (key === "Enter") {
    if (proceed === null || target.matches("textarea, button, summary, a")) return;
    event.preventDefault();
    if (!event.repeat) proceed();
  } else if (writes || !byId("use-keys").checked || item === null) {
    // a letter or a digit of a text
  } else if (/^[0-9]$/.test(key)) {
    item.key(Number(key));
  } else if (key === "?") {
    openHelp();
  } else if (place !== null && !event.repeat) {
    const action = { b: goBack, s: openSkip, c: () => item.openComment() }[key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }
});

function hint(text, move = false) {
  if (item === null) return;
  item.hint.textContent = text;
  if (move) item.focusMissing();
}

function openHelp() {
  const numbers = numbersOf(list.scale);
  const digits = numbers === null
    ? ["0–9", "Enter a number"]
    : digitsAreScores(numbers)
      ? [`${numbers[0]}–${Math.min(9, numbers.at(-1))}`, "Choose this score"]
      : [`1–${Math.min(9, numbers.length)}`, "Choose a score, counted from the left"];
  const keys = [digits, ["Enter", "Next"], ["B", "Back"], ["S", "Skip"], ["C", "Comment"], ["?", "This help"]];
  if (list.presentation !== "single") keys.splice(1, 0, ["Tab", "To the next translation"]);
  byId("help-keys").replaceChildren(
    ...keys.map(([key, what]) => make("div", {}, make("dt", {}, make("kbd", { textContent: key })), make("dd", { textContent: what }))),
  );
  byId("help-instructions").textContent = list.instructions;
  byId("help-scale").replaceChildren(scaleTable());
  byId("help").showModal();
}

byId("open-help").onclick = openHelp;
byId("use-keys").checked = kept("keys") !== "off";
byId("use-keys").onchange = (event) => keep("keys", event.target.checked ? "on" : "off");

function openSkip() {
  const reasons = list.places[place].source === null ? REASONS.slice(1) : REASONS;
  byId("reasons").replaceChildren(
    ...[...reasons, "Another reason"].map((reason, at) =>
      make("label", { className: "tick" }, make("input", { type: "radio", name: "reason", value: at < reasons.length ? reason : "" }), reason),
    ),
  );
  byId("other").value = "";
  byId("skip-error").textContent = "";
  byId("skip").showModal();
  byId("reasons").querySelector("input").focus();
}

byId("other").oninput = () => {
  byId("reasons").lastElementChild.firstElementChild.checked = true;
};
byId("skip-cancel").onclick = () => byId("skip").close();
byId("skip-confirm").onclick = confirmSkip;
byId("skip").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.matches("textarea, button")) return;
  event.preventDefault();
  confirmSkip();
});

function confirmSkip() {
  const chosen = byId("reasons").querySelector("input:checked");
  const reason = chosen?.value || byId("other").value.trim();
  if (!reason) {
    byId("skip-error").textContent = "Choose a reason, or write one.";
    return;
  }
  byId("skip").close();
  skipWith(reason);
}

// Small things

function replace(node) {
  byId("main").replaceChildren(node);
}

async function copied(text, node) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard is for pages with https only.
    getSelection().selectAllChildren(node);
    return document.execCommand("copy");
  }
}

/** What this browser remembers for the judge, apart from answers. */
function kept(name) {
  try {
    return localStorage.getItem(`${judgeKey}/${name}`);
  } catch {
    return null;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(`${judgeKey}/${name}`, value);
  } catch {
    // then it is asked again
  }
}

/** 53 bits that tell judges at one machine apart, and from which no token follows (cyrb53; SubtleCrypto needs https). */
function digest(text) {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (const character of text) {
    const code = character.codePointAt(0);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
}

start();
