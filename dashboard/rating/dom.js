"use strict";

/** A new element. Properties are set as such where the element has them, and as attributes elsewhere. */
export function make(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** Text of the campaign: its language is not known, its direction follows from its letters. */
export function foreign(tag, text, className = "") {
  return make(tag, { textContent: text, dir: "auto", lang: "", className });
}

export const byId = (id) => document.getElementById(id);

/** A number and its noun. */
export const counted = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
