// Pressing a letter puts the cursor into a box, unless it is typed into a box already.
export default function ({ data }) {
  const typing = (element) => element.closest("input, textarea, select, [contenteditable=true]") !== null;
  const listen = (event) => {
    if (event.key.toLowerCase() !== data.letter || event.ctrlKey || event.metaKey || event.altKey) return;
    if (typing(event.target)) return;
    const box = document.querySelector(`.st-key-${CSS.escape(data.key)} :is(input, textarea)`);
    if (!box) return;
    event.preventDefault(); // else the letter is typed into the box
    box.focus();
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}
