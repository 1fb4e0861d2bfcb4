// A choice of widths, and buttons that ask for a chart as a file. The server answers with the figure as it is printed,
// which the chart's own toolbar then draws and saves, or with a file that it has drawn itself.
export default function ({ data, parentElement, setTriggerValue }) {
  const size = parentElement.querySelector("select");
  const kept = document.documentElement.dataset; // a width holds for all figures until the tab is closed
  size.value = kept.figureWidth ?? size.value;
  size.onchange = () => (kept.figureWidth = size.value);
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = () =>
      setTriggerValue("asked", { id: String(Date.now()), size: size.value, format: button.dataset.format });
  }
  const plot = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
  const asked = data.print;
  // A menu that is opened again has the same data.
  if (!asked || plot.dataset.saved === asked.id) return;
  plot.dataset.saved = asked.id;
  if (asked.error) {
    parentElement.querySelector("p").textContent = asked.error;
    return;
  }
  keepMenuOpen();
  if (asked.pdf) saveFile(asked);
  else save(plot, asked);
}

// The menu closes at every click elsewhere, and files are saved by a click on a link in the page.
function keepMenuOpen() {
  const stop = (event) => {
    if (event.isTrusted || !event.target.download) return;
    event.stopPropagation();
    document.body.removeEventListener("click", stop);
  };
  document.body.addEventListener("click", stop);
}

// The toolbar's button copies data, layout and options at once, so that they can be put back at once.
function save(plot, { figure, options, resolution }) {
  const { data, layout } = plot;
  const chosen = plot._context.toImageButtonOptions;
  const before = { ...chosen };
  Object.assign(plot, figure);
  Object.assign(chosen, options);
  if (options.format === "png") addResolution(resolution);
  plot.querySelector(".modebar-btn").dispatchEvent(new MouseEvent("click")); // the first one
  Object.assign(plot, { data, layout });
  for (const name of Object.keys(options)) delete chosen[name];
  Object.assign(chosen, before);
}

// The next picture that is saved says how many dots an inch has: programs would guess its size otherwise.
function addResolution({ at, chunk }) {
  const make = URL.createObjectURL;
  URL.createObjectURL = (blob) => {
    if (blob.type !== "image/png") return make.call(URL, blob);
    URL.createObjectURL = make;
    const parts = [blob.slice(0, at), new Uint8Array(chunk), blob.slice(at)];
    return make.call(URL, new Blob(parts, { type: blob.type }));
  };
}

function saveFile({ pdf, name }) {
  const link = document.createElement("a");
  link.href = `data:application/pdf;base64,${pdf}`;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
}
