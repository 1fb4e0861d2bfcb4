// Charts as wide as the paper: while the page is printed, each is scaled as a picture is.
export default function () {
  const charts = () => document.querySelectorAll(".js-plotly-plot");
  const before = () => {
    for (const chart of charts()) {
      const { offsetWidth: width, offsetHeight: height } = chart;
      if (!width || !height) continue;
      chart.style.setProperty("--chart-width", `${width}px`);
      chart.style.setProperty("--chart-shape", `${width} / ${height}`);
      for (const drawing of chart.querySelectorAll(".main-svg")) drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    }
  };
  const after = () => {
    for (const chart of charts()) {
      for (const drawing of chart.querySelectorAll(".main-svg")) drawing.removeAttribute("viewBox");
    }
  };
  window.addEventListener("beforeprint", before);
  window.addEventListener("afterprint", after);
  return () => {
    window.removeEventListener("beforeprint", before);
    window.removeEventListener("afterprint", after);
  };
}
