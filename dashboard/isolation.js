// Where a figure has many lines, the one under the pointer stands out: all that has neither its legend group nor its name
// becomes pale. Only the drawing changes, so that Plotly draws it as it was as soon as it draws again.
const PALE = 0.12;

export default function () {
  const listening = new WeakSet();
  const look = () => {
    for (const plot of document.querySelectorAll(".js-plotly-plot")) {
      if (listening.has(plot) || !plot.layout?.meta?.isolates || !plot.on) continue;
      listening.add(plot);
      plot.on("plotly_hover", ({ points }) => isolate(plot, group(points[0].fullData)));
      plot.on("plotly_unhover", () => isolate(plot, null));
    }
  };
  const observer = new MutationObserver(look); // pages draw their figures late, and anew
  observer.observe(document.body, { childList: true, subtree: true });
  look();
  return () => observer.disconnect();
}

const group = (trace) => trace.legendgroup || trace.name;

function isolate(plot, chosen) {
  const opacity = (name) => (chosen === null || name === chosen ? "" : PALE);
  for (const drawn of plot.querySelectorAll(".scatterlayer .trace")) {
    drawn.style.opacity = opacity(group(drawn.__data__[0].trace));
  }
  for (const note of plot.querySelectorAll(".annotation")) {
    const { name } = plot.layout.annotations[note.dataset.index] ?? {};
    if (name) note.style.opacity = opacity(name);
  }
}
