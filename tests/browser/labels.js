// What is wrong with the labels of a figure: those that reach beyond it or what clips them, and those that overlap.
const TOLERANCE = 1.5; // pixels

async function labelFaults(spec) {
  const plot = document.getElementById("figure");
  const { data, layout } = JSON.parse(spec);
  await Plotly.newPlot(plot, data, layout, { staticPlot: true });
  const labels = [...plot.querySelectorAll(".main-svg text")]
    .filter((text) => text.textContent.trim() && seen(text))
    .map((text) => ({ text: text.textContent.trim(), corners: corners(text), clip: clip(text, plot) }));
  const faults = [];
  labels.forEach((label, i) => {
    if (label.corners.some(([x, y]) => outside(x, y, label.clip))) faults.push(`'${label.text}' is clipped`);
    for (const other of labels.slice(i + 1)) {
      if (overlap(label.corners, other.corners)) faults.push(`'${label.text}' overlaps '${other.text}'`);
    }
  });
  Plotly.purge(plot);
  return faults;
}

function seen(text) {
  for (let part = text; part.style; part = part.parentNode) {
    const { display, visibility, opacity } = getComputedStyle(part);
    if (display === "none" || visibility === "hidden" || opacity === "0") return false;
  }
  return true;
}

// The corners of the text itself, turned as it is; of its lines where it has several. A third of a line's height has
// no ink in it.
function corners(text) {
  const { x, y, width, height } = text.getBBox();
  const lines = Math.max(1, text.querySelectorAll(":scope > tspan.line").length);
  const air = height / lines / 6;
  const matrix = text.getScreenCTM();
  const places = [
    [x, y + air],
    [x + width, y + air],
    [x + width, y + height - air],
    [x, y + height - air],
  ];
  return places.map(([left, top]) => {
    const point = new DOMPoint(left, top).matrixTransform(matrix);
    return [point.x, point.y];
  });
}

// What cuts the text: the figure, or the plot if it is clipped by it.
function clip(text, plot) {
  let box = plot.querySelector(".main-svg").getBoundingClientRect();
  for (let part = text; part !== plot; part = part.parentNode) {
    const named = /url\(.*#(.*?)['"]?\)/.exec(part.getAttribute("clip-path") ?? "");
    if (!named) continue;
    const shape = document.getElementById(named[1])?.querySelector("rect");
    if (!shape) continue;
    const matrix = part.getScreenCTM();
    const [left, top, width, height] = ["x", "y", "width", "height"].map((name) => shape[name].baseVal.value);
    const from = new DOMPoint(left, top).matrixTransform(matrix);
    const to = new DOMPoint(left + width, top + height).matrixTransform(matrix);
    box = {
      left: Math.max(box.left, from.x),
      top: Math.max(box.top, from.y),
      right: Math.min(box.right, to.x),
      bottom: Math.min(box.bottom, to.y),
    };
  }
  return box;
}

const outside = (x, y, box) =>
  x < box.left - TOLERANCE || x > box.right + TOLERANCE || y < box.top - TOLERANCE || y > box.bottom + TOLERANCE;

// Whether two rectangles, each turned in its own way, lie over each other: no line between them separates them.
function overlap(one, other) {
  for (const shape of [one, other]) {
    for (const [from, to] of [[shape[0], shape[1]], [shape[1], shape[2]]]) {
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      const along = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
      const reach = (places) => {
        const values = places.map(([x, y]) => x * along[0] + y * along[1]);
        return [Math.min(...values), Math.max(...values)];
      };
      const [low, high] = reach(one);
      const [least, most] = reach(other);
      if (Math.min(high, most) - Math.max(low, least) < TOLERANCE) return false;
    }
  }
  return true;
}
