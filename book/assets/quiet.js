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
{
  let shown = "";
  matchMedia("print").addEventListener("change", ({ matches: printing }) => {
    const { dataset } = document.documentElement;
    if (printing) [shown, dataset.theme] = [dataset.theme, "light"];
    else dataset.theme = shown;
  });
}

// What scrolls by itself can be reached by key, and says what it is. The theme finds out which code, outputs and tables scroll and gives
// them a tabindex; formulas and figures are found here. What does not scroll in a wider window is no landmark.
{
  const ITS_KINDS = { pre: "Code", ".output": "Output", ".pst-scrollable-table-container": "Table" };
  const OWN_KINDS = { ".katex-display": "Formula", ".tb-scroller": "Figure" };
  const article = document.querySelector(".bd-article");
  const nameEach = (kinds, reached) => {
    for (const [kind, name] of Object.entries(kinds)) {
      article.querySelectorAll(kind).forEach((element, at) => {
        if (reached(element)) Object.assign(element, { role: "region", ariaLabel: `${name} ${at + 1}` });
        else for (const attribute of ["role", "aria-label"]) element.removeAttribute(attribute);
      });
    }
  };
  const nameIts = () => nameEach(ITS_KINDS, (element) => element.tabIndex === 0);
  const nameOwn = () =>
    nameEach(OWN_KINDS, (element) => {
      const scrolls = element.scrollWidth > element.clientWidth;
      if (scrolls) element.tabIndex = 0;
      else element.removeAttribute("tabindex");
      return scrolls;
    });
  if (article) {
    nameIts();
    new MutationObserver(nameIts).observe(article, { subtree: true, attributeFilter: ["tabindex"] });
    new ResizeObserver(nameOwn).observe(article);
  }
}
