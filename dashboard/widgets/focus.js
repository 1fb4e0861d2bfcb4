// Pressing a letter puts the cursor into a box, unless it is typed into a box already. A box that is not shown is opened.
const PATIENCE = 5000; // milliseconds

export default function ({ data }) {
  const typing = (element) => element.closest("input, textarea, select, [contenteditable=true]") !== null;
  const find = () => document.querySelector(`.st-key-${CSS.escape(data.key)} :is(input, textarea)`);
  let ended = false;
  const focus = (until) => {
    const box = find();
    if (box) box.focus();
    else if (!ended && performance.now() < until) requestAnimationFrame(() => focus(until));
  };
  const listen = (event) => {
    if (event.key.toLowerCase() !== data.letter || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target)) return;
    const opener = data.opener && document.querySelector(`.st-key-${CSS.escape(data.opener)} button`);
    if (!find() && !opener) return;
    event.preventDefault(); // else the letter is typed into the box
    if (!find()) opener.click();
    focus(performance.now() + PATIENCE);
  };
  document.addEventListener("keydown", listen);
  return () => {
    ended = true;
    document.removeEventListener("keydown", listen);
  };
}
