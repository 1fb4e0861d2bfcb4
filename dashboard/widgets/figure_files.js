// Two buttons that save a chart of the page as it is drawn, by way of the button of its toolbar.
export default function ({ data, parentElement }) {
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = () => {
      const plot = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
      const options = plot._context.toImageButtonOptions;
      const before = { ...options };
      const font = plot.layout.font;
      Object.assign(options, { format: button.dataset.format, scale: Number(button.dataset.scale) });
      // A picture cannot load the page's font: with one of the system, names are as wide as they are measured.
      plot.layout.font = { ...font, family: "Arial, Helvetica, sans-serif" };
      plot.querySelector(".modebar-btn").click(); // the first one; it copies the layout at once
      plot.layout.font = font;
      Object.assign(options, before);
    };
  }
}
