// Scrolls to the segment that keys act on, once it is drawn, when it is another one than before.
const PATIENCE = 3000; // milliseconds

export default function ({ data }) {
  const seen = document.documentElement.dataset;
  const before = seen.segment;
  seen.segment = data.number;
  if (before === String(data.number) || (before === undefined && !data.asked)) return undefined;
  let ended = false;
  const until = performance.now() + PATIENCE;
  const look = () => {
    const heading = document.querySelector(".segment-number[aria-current=true]");
    if (heading?.dataset.number === String(data.number))
      heading.closest('[class*="st-key-segment-card-"]')?.scrollIntoView({ block: "nearest" });
    else if (!ended && performance.now() < until) requestAnimationFrame(look);
  };
  look();
  return () => {
    ended = true;
  };
}
