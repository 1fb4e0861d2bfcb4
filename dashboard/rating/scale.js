"use strict";

import { foreign, make } from "./dom.js";

/** Scales with at most so many numbers are shown as buttons, others as a slider. */
const MOST_BUTTONS = 11;

/** The numbers of a scale, or null if there are too many for buttons. */
export function numbersOf({ lowest, highest, step }) {
  const count = Math.round((highest - lowest) / step) + 1;
  return count > MOST_BUTTONS ? null : Array.from({ length: count }, (_, n) => nth(lowest, step, n));
}

/** What the lead calls a number of the scale, or nothing. */
export function nameOf(scale, score) {
  const found = Object.entries(scale.names).find(([number]) => Number(number) === score);
  return found ? found[1] : "";
}

/** The names of a scale in the order of their numbers. */
export function namedScores(scale) {
  const pairs = Object.entries(scale.names).map(([number, name]) => [Number(number), name]);
  return pairs.sort((a, b) => a[0] - b[0]);
}

/** Whether the digits of a keyboard are the numbers themselves, instead of counting from left to right. */
export const digitsAreScores = (numbers) => numbers.every((n) => Number.isInteger(n) && n >= 0 && n <= 10);

/**
 * What a score is chosen with.
 *
 * Has `node`, `score` (null: none chosen), `fault` (what is wrong with what was entered), `key(digit)` and `focus()`.
 */
export function scoreInput(settings) {
  return numbersOf(settings.scale) ? new Buttons(settings) : new Slider(settings);
}

class Buttons {
  #numbers;
  #inputs;
  fault = "";

  constructor({ scale, legend, name, score, chosen }) {
    this.score = score;
    this.#numbers = numbersOf(scale);
    this.#inputs = this.#numbers.map((number) => {
      const choose = () => {
        this.score = number;
        meaning();
        chosen();
      };
      return make("input", { type: "radio", name, value: String(number), checked: number === score, onchange: choose });
    });
    const named = namedScores(scale);
    const under = make("p", { className: "meaning", "aria-hidden": "true", dir: "auto" });
    const meaning = () => {
      const shown = this.score === null ? [named[0], named.at(-1)] : [[this.score, nameOf(scale, this.score)]];
      const texts = shown.filter((each) => each?.[1]).map(([number, text]) => `${number} = ${text}`);
      under.textContent = [...new Set(texts)].join(" · ");
    };
    meaning();
    const choices = this.#numbers.map((number, n) => {
      const text = nameOf(scale, number);
      const label = make("span", { className: "number", textContent: String(number) });
      return make("label", { className: "choice" }, this.#inputs[n], label, text ? foreign("span", text, "name") : null);
    });
    const group = make("div", { className: `choices${this.#numbers.length > 7 ? " many" : ""}` }, ...choices);
    this.node = make("fieldset", { className: "scale" }, legend, group, named.length ? under : null);
  }

  /** Choose with a digit; returns whether the scale has it. */
  key(digit) {
    const at = digitsAreScores(this.#numbers) ? this.#numbers.indexOf(digit) : digit - 1;
    if (!this.#inputs[at]) return false;
    this.#inputs[at].focus({ preventScroll: true });
    this.#inputs[at].click();
    return true;
  }

  focus() {
    (this.#inputs.find((input) => input.checked) ?? this.#inputs[0]).focus();
  }
}

class Slider {
  #field;
  fault = "";

  constructor({ scale, legend, score, chosen }) {
    const { lowest, highest, step } = scale;
    const steps = Math.round((highest - lowest) / step);
    this.score = score;
    this.#field = make("input", {
      type: "text",
      inputMode: lowest < 0 ? "text" : "decimal",
      autocomplete: "off",
      "aria-label": `Score from ${lowest} to ${highest}`,
      value: score === null ? "" : String(score),
    });
    const range = make("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": "Score on a slider" });
    const frame = make("div", { className: "slider" }, range, this.#field);
    const show = (writing) => {
      const at = this.score === null ? Math.round(steps / 2) : Math.round((this.score - lowest) / step);
      range.value = String(at);
      range.setAttribute("aria-valuetext", this.score === null ? "no score yet" : String(this.score));
      frame.classList.toggle("unset", this.score === null);
      this.#field.setAttribute("aria-invalid", String(this.fault !== ""));
      if (!writing) this.#field.value = this.score === null ? "" : String(this.score);
    };
    const slide = () => {
      [this.score, this.fault] = [nth(lowest, step, Number(range.value)), ""];
      show(false);
      chosen();
    };
    range.oninput = slide;
    range.onpointerup = slide; // a click on where the knob is changes nothing, but is a choice
    this.#field.oninput = () => {
      const written = this.#field.value.trim().replace(",", ".").replace("−", "-");
      const found = written === "" ? NaN : Number(written);
      const at = Math.round((found - lowest) / step);
      const fits = at >= 0 && at <= steps && Math.abs(nth(lowest, step, at) - found) < 1e-9;
      this.score = fits ? nth(lowest, step, at) : null;
      const every = step === 1 && Number.isInteger(lowest) ? "a whole number" : `a number in steps of ${step}`;
      this.fault = written === "" || fits ? "" : `Enter ${every} from ${lowest} to ${highest}.`;
      show(true);
      chosen();
    };
    show(false);
    const named = namedScores(scale);
    const ends = named.length ? named : [[lowest, ""], [highest, ""]];
    const labels = ends.map(([number, text]) => foreign("span", text ? `${number} = ${text}` : String(number)));
    this.node = make("fieldset", { className: "scale" }, legend, frame, make("div", { className: "ends" }, ...labels));
  }

  /** Begin to write a number; the digit itself goes into the field as usual. */
  key() {
    this.#field.focus({ preventScroll: true });
    this.#field.select();
    return false;
  }

  focus() {
    this.#field.focus();
  }
}

/** The number n steps above the lowest, without the dust of binary fractions. */
function nth(lowest, step, n) {
  return Number((lowest + n * step).toFixed(9));
}
