"use strict";

/** Records in one request: few enough that even the longest comments stay below the server's limit of 1 MB. */
const BATCH = 30;
/** Seconds: between tries, at most; while the campaign takes no answers; for one request. */
const LONGEST_WAIT = 30;
const CLOSED_WAIT = 20;
const PATIENCE = 20;
/** How often an answer is sent that the server refuses while the campaign is open. */
const TRIES = 3;

/**
 * Answers and comments on their way to the server.
 *
 * Each is kept under a key of its own until the server says that it is stored: tabs of the same judge share what is
 * kept, and none removes what another has added. Sending an answer twice is harmless, as the server knows its id.
 *
 * The newest of each text that is stored is kept apart: a server whose file was restored from an older copy does not
 * have it any more, and gets it again.
 */
export class Queue {
  #prefix;
  #stored;
  #ask;
  #changed;
  #replied;
  #unkept = new Map();
  #tries = new Map();
  #size = BATCH;
  #failures = 0;
  #sending = false;
  #timer = 0;

  /** "ok", "offline", "busy" (the server cannot store now), "held" (not open) or "invalid" (the link). */
  state = "ok";

  /**
   * @param name of the judge's part of the storage.
   * @param ask sends a request: (path, body, seconds) => Response.
   * @param changed is called when something was added, sent or refused.
   * @param replied is called with what the server says about the campaign.
   */
  constructor(name, ask, changed, replied) {
    this.#prefix = `rate/${name}/queue/`;
    this.#stored = `rate/${name}/stored/`;
    this.#ask = ask;
    this.#changed = changed;
    this.#replied = replied;
    window.addEventListener("online", () => this.send());
    document.addEventListener("visibilitychange", () => document.hidden || this.send());
    window.addEventListener("storage", (event) => {
      if (event.key === null || event.key.startsWith(this.#prefix)) changed();
    });
  }

  /** What is not stored yet, oldest first. */
  all() {
    return [...this.#unkept.values(), ...kept(this.#prefix)].sort((a, b) => a.order - b.order);
  }

  /** What waits to be sent. */
  waiting() {
    return this.all().filter((each) => !each.refused);
  }

  /** Whether something is only in this tab, since the browser keeps nothing. */
  get volatile() {
    return this.#unkept.size > 0;
  }

  /** Keep records, then send them. */
  add(...records) {
    for (const record of records) {
      const before = this.all();
      for (const each of before) {
        if (each.refused && same(each, record)) this.#remove(each.client);
      }
      // An answer that corrects another is later, even if the clock was put back in between.
      const order = Math.max(Date.now(), 1 + Math.max(0, ...before.map((each) => each.order)));
      this.#keep({ ...record, client: newId(), order });
    }
    this.#changed();
    this.send();
  }

  /** Let what was stored once wait again if the server does not have it: no answer or comment at all. */
  restore(places) {
    for (const record of kept(this.#stored)) {
      const at = places[record.place];
      const missing = record.position === undefined ? record.text && at?.comment === "" : at?.answers[record.position] === null;
      if (missing) this.#keep(record);
    }
    this.#changed();
  }

  /** Forget what was stored, at the end of a campaign. */
  forget() {
    for (const record of kept(this.#stored)) localStorage.removeItem(this.#stored + textOf(record));
  }

  /** Send all that waits, unless that is being done. */
  async send() {
    if (this.#sending || this.state === "invalid") return;
    this.#sending = true;
    clearTimeout(this.#timer);
    let wait;
    try {
      do wait = await this.#sendSome();
      while (wait === 0);
    } finally {
      this.#sending = false;
    }
    this.#changed();
    if (wait !== null) this.#timer = setTimeout(() => this.send(), 1000 * wait);
  }

  /** Send one batch; returns the seconds until the next, null if nothing is left. */
  async #sendSome() {
    const batch = this.waiting().slice(0, this.#size);
    if (!batch.length) return null;
    let response;
    let reply;
    try {
      response = await this.#ask("answers", body(batch), PATIENCE);
      reply = await response.json();
    } catch {
      return this.#failed("offline");
    }
    if (response.status === 401) {
      this.state = "invalid";
      return null;
    }
    if (response.status === 400 || response.status === 413) {
      // One record makes the whole request unreadable: send them singly to find it.
      if (batch.length === 1) this.#refuse(batch[0], reply.message);
      this.#size = 1;
      return 0;
    }
    if (!response.ok) return this.#failed("busy");
    this.#failures = 0;
    this.#size = BATCH;
    this.state = reply.state === "open" ? "ok" : "held";
    for (const record of batch) {
      if (reply.stored.includes(record.client)) this.#acknowledge(record);
    }
    if (this.state === "ok") {
      for (const { client, message } of reply.refused) {
        const tries = 1 + (this.#tries.get(client) ?? 0);
        this.#tries.set(client, tries);
        const record = batch.find((each) => each.client === client);
        if (tries >= TRIES && record) this.#refuse(record, message);
      }
    }
    this.#replied(reply);
    this.#changed();
    if (this.state === "held") return this.waiting().length ? CLOSED_WAIT : null;
    return reply.stored.length ? 0 : 1;
  }

  #failed(state) {
    this.state = state;
    const wait = Math.min(LONGEST_WAIT, 2 ** this.#failures);
    this.#failures += 1;
    return wait * (0.75 + Math.random() / 2);
  }

  #refuse(record, message) {
    this.#keep({ ...record, refused: message || "the server cannot read it" });
  }

  #keep(record) {
    try {
      localStorage.setItem(this.#prefix + record.client, JSON.stringify(record));
      this.#unkept.delete(record.client);
    } catch {
      this.#unkept.set(record.client, record); // the storage is full or forbidden
    }
  }

  #acknowledge(record) {
    this.#remove(record.client);
    try {
      localStorage.setItem(this.#stored + textOf(record), JSON.stringify(record));
    } catch {
      // then the server alone has it
    }
  }

  #remove(client) {
    this.#unkept.delete(client);
    try {
      localStorage.removeItem(this.#prefix + client);
    } catch {
      // nothing was kept
    }
  }
}

/** The records that the browser keeps under keys with this beginning. */
function kept(prefix) {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefix));
    return keys.map((key) => JSON.parse(localStorage.getItem(key))).filter((each) => each !== null);
  } catch {
    return []; // the browser keeps nothing for this page
  }
}

/** The text that a record is about, or whose comment it is. */
const textOf = ({ place, position }) => `${place}/${position ?? "comment"}`;

/** Whether two records are about the same text, or the same comment. */
export const same = (a, b) => a.place === b.place && a.position === b.position;

function body(batch) {
  const answers = batch
    .filter((each) => each.position !== undefined)
    .map(({ client, place, position, score, reason, shown, given }) => {
      return { client, place, position, score, reason, shown, given };
    });
  const comments = batch
    .filter((each) => each.position === undefined)
    .map(({ client, place, text }) => ({ client, place, text }));
  return JSON.stringify({ answers, comments });
}

/** 128 random bits; randomUUID() is not there on pages without https. */
function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
