// Brings a part of the page into view, once it is drawn, whenever something else is shown than before.
const PATIENCE = 3000; // milliseconds

export default function ({ data, parentElement }) {
  const before = parentElement.dataset.shown;
  parentElement.dataset.shown = data.shown;
  if (before === data.shown || (before === undefined && !data.opened)) return undefined;
  let ended = false;
  const until = performance.now() + PATIENCE;
  const look = () => {
    const part = document.querySelector(data.selector);
    if (part) part.scrollIntoView({ block: "nearest" });
    else if (!ended && performance.now() < until) requestAnimationFrame(look);
  };
  requestAnimationFrame(() => requestAnimationFrame(look)); // once it has its size
  return () => {
    ended = true;
  };
}
