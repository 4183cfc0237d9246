// A chapter is many screens long, and a step of a slider would have all of them laid out and painted again. So, once the
// reader takes hold of an explorer, what is off the screen is left alone; each block is told the height that it has, so
// that nothing moves.
addEventListener("focusin", function settle({ target }) {
  if (!target.closest(".static-widget")) return;
  removeEventListener("focusin", settle);
  const blocks = [...document.querySelectorAll(".bd-article section, .bd-article section > :not(section, h1, h2, h3, h4)")];
  const quiet = blocks.filter((block) => !block.querySelector(".static-widget"));
  const heights = quiet.map((block) => {
    const style = getComputedStyle(block);
    const edges = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
    return edges.reduce((height, edge) => height - parseFloat(edge), block.getBoundingClientRect().height);
  });
  quiet.forEach(({ style }, at) => {
    style.containIntrinsicHeight = `auto ${heights[at]}px`;
    style.contentVisibility = "auto";
  });
});

// At every key the theme searches the whole page for menus; a key that moves a slider is none of its business.
for (const type of ["keydown", "keyup"]) {
  addEventListener(
    type,
    (event) => {
      const moves = /^(Arrow|Page|Home|End)/.test(event.key);
      if (moves && event.target.matches?.(".static-widget input[type=range]")) event.stopPropagation();
    },
    { capture: true },
  );
}

// Paper is light, whatever the screen. The theme's colours hang on this attribute, and so do those of code, figures and explorers.
let shown = "";
matchMedia("print").addEventListener("change", ({ matches: printing }) => {
  const { dataset } = document.documentElement;
  if (printing) [shown, dataset.theme] = [dataset.theme, "light"];
  else dataset.theme = shown;
});
