"use strict";

import { foreign, make } from "./dom.js";
import { scoreInput } from "./scale.js";

/**
 * The texts of one place with what they are rated with.
 *
 * @param settings.heading of the page.
 * @param settings.question above the scale.
 * @param settings.scale of the campaign.
 * @param settings.source of the translations, or null.
 * @param settings.texts translations.
 * @param settings.scores given before, or null, one per translation.
 * @param settings.together whether translations stand side by side, each with its own scale.
 * @param settings.notes what is said above the texts.
 * @param settings.comment given before; null: no comments here.
 * @param settings.buttons of the page.
 * @param settings.chosen is called when a score was chosen.
 */
export class Item {
  #inputs;
  #columns;
  #comment = null;
  #fold = null;
  #active = 0;
  #below;

  constructor(settings) {
    const { texts, scores, scale, together } = settings;
    this.heading = make("h1", { tabIndex: -1, textContent: settings.heading });
    this.#inputs = texts.map((_, at) => {
      const legend = together ? make("legend", { textContent: `Score of translation ${letter(at)}` }) : question(settings, "legend");
      const chosen = () => {
        this.#activate(at);
        settings.chosen(at);
      };
      return scoreInput({ scale, legend, name: `score-${at}`, score: scores[at], chosen });
    });
    this.#columns = texts.map((text, at) => {
      const title = together ? `Translation ${letter(at)}` : "Translation";
      return box(title, text, together ? this.#inputs[at].node : null);
    });
    const group = make("div", { className: together ? "columns" : "" }, ...this.#columns);
    this.#below = make("div", { className: "feedback", role: "status" });
    this.hint = make("p", { className: "hint", role: "status" });
    this.node = make(
      "div",
      { className: together ? "item together" : "item" },
      this.heading,
      ...settings.notes.map((note) => make("p", { className: "note", textContent: note, dir: "auto" })),
      settings.source === null ? null : box("Source", settings.source, null),
      together ? question(settings, "p") : null,
      group,
      settings.comment === null ? null : this.#commentBox(settings.comment),
      make(
        "div",
        { className: "panel" },
        together ? null : this.#inputs[0].node,
        this.#below,
        this.hint,
        make("div", { className: "buttons" }, ...settings.buttons),
      ),
    );
    this.#columns.forEach((column, at) => column.addEventListener("focusin", () => this.#activate(at)));
    if (together) this.#activate(this.#unrated() ?? 0);
  }

  #commentBox(text) {
    this.#comment = make("textarea", { id: "comment", rows: 3, maxLength: 5000, dir: "auto", value: text });
    this.#fold = make(
      "details",
      { className: "comment", open: text !== "" },
      make("summary", { textContent: "Comment" }),
      make("label", { htmlFor: "comment", textContent: "What the organisers should know about this text" }),
      this.#comment,
    );
    return this.#fold;
  }

  #activate(at) {
    this.#active = at;
    if (this.#columns.length > 1) this.#columns.forEach((column, n) => column.classList.toggle("active", n === at));
  }

  /** The first translation without a score; undefined if there is none. */
  #unrated() {
    const found = this.#inputs.findIndex((input) => input.score === null);
    return found < 0 ? undefined : found;
  }

  /** The scores, null where none is chosen. */
  get scores() {
    return this.#inputs.map((input) => input.score);
  }

  /** What is wrong with what was entered; empty if nothing is. */
  get fault() {
    return this.#inputs.find((input) => input.fault)?.fault ?? "";
  }

  /** What is missing before one can go on; empty if nothing is. */
  get missing() {
    if (this.fault) return this.fault;
    const at = this.#unrated();
    if (at === undefined) return "";
    return this.#inputs.length > 1 ? `Choose a score for translation ${letter(at)}.` : "Choose a score.";
  }

  get comment() {
    return this.#comment?.value ?? "";
  }

  /** Choose by a digit; side by side, the digits rate one translation after the other. */
  key(digit) {
    if (this.#inputs[this.#active].key(digit)) {
      const next = this.#unrated();
      if (next !== undefined) {
        this.#activate(next);
        this.#columns[next].scrollIntoView({ block: "nearest" });
      }
    }
  }

  /** Show something below the scale. */
  showBelow(...nodes) {
    this.#below.replaceChildren(...nodes);
    this.#below.scrollIntoView({ block: "nearest" });
  }

  openComment() {
    if (this.#fold === null) return;
    this.#fold.open = true;
    this.#comment.focus();
  }

  /** Go to what is missing. */
  focusMissing() {
    this.#inputs[Math.max(0, this.#inputs.findIndex((input) => input.fault || input.score === null))].focus();
  }
}

const letter = (at) => String.fromCharCode(65 + (at % 26)) + (at < 26 ? "" : String(Math.floor(at / 26) + 1));

const question = (settings, tag) => foreign(tag, settings.question, "question");

function box(title, text, below) {
  return make("section", { className: "box" }, make("h2", { textContent: title }), foreign("p", text, "text"), below);
}
