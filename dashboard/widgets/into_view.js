// Brings a part of the page into view, unless it is there, whenever what it shows has changed.
export default function ({ data, parentElement }) {
  if (parentElement.dataset.shown === data.shown) return;
  parentElement.dataset.shown = data.shown;
  const bring = () => {
    const part = document.querySelector(`.st-key-${CSS.escape(data.key)}`);
    if (part) part.scrollIntoView({ block: "nearest" });
  };
  requestAnimationFrame(() => requestAnimationFrame(bring)); // once it has its size
}
