// Two buttons that save a chart of the page as it is drawn, by way of the button of its toolbar.
export default function ({ data, parentElement }) {
  for (const button of parentElement.querySelectorAll("button")) {
    button.onclick = () => {
      const plot = document.querySelector(`.st-key-${CSS.escape(data.chart)} .js-plotly-plot`);
      const options = plot._context.toImageButtonOptions;
      const before = { ...options };
      Object.assign(options, { format: button.dataset.format, scale: Number(button.dataset.scale) });
      plot.querySelector(".modebar-btn").click(); // the first one
      Object.assign(options, before);
    };
  }
}
