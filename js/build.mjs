// Bundles everything the pages run. `node js/build.mjs [output folder]` writes below the repository, or below another
// folder, which the tests use to compare what is committed with a fresh build.
import { build } from "esbuild";
import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONTROLS, PARTS, PURIFY, SIZES } from "./static_widgets/kinds.js";
import * as shared from "./static_widgets/shared.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const output = process.argv[2] ?? root;

/** @type {import("esbuild").BuildOptions} */
const common = { bundle: true, minify: true, target: "es2022", charset: "utf8", legalComments: "none", logLevel: "warning" };

await build({
  ...common,
  entryPoints: [join(root, "js/explorers/*.js"), join(root, "js/styles/explorer.css")],
  entryNames: "[name]",
  format: "esm",
  outdir: join(output, "src/transformer_book/explorers/static"),
});
const runtime = join(output, "src/static_widgets/static");
const widgets = (/** @type {string[]} */ ...names) => names.map((name) => join(root, "js/static_widgets", name));
const ofRuntime = /** @type {const} */ ({ ...common, format: "iife", outdir: runtime, metafile: true });
/** What a part shares with the core is there already. @type {import("esbuild").Plugin} */
const takeFromCore = {
  name: "take from the core",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/shared\.js$/ }, ({ path }) => ({ path, namespace: "core" }));
    onLoad({ filter: /.*/, namespace: "core" }, () => ({ contents: `export const { ${Object.keys(shared)} } = staticWidgets.shared` }));
  },
};
const order = [...Object.keys(PARTS), PURIFY];
const [core, ...others] = order.map((part) => `${part}.js`);
const ofCore = await build({ ...ofRuntime, entryPoints: widgets(core ?? "") });
const ofParts = await build({ ...ofRuntime, entryPoints: widgets(...others), plugins: [takeFromCore] });
await build({ ...ofRuntime, entryPoints: widgets("menu_items.js", "static_widgets.css", "more_controls.css") });

const bundled = [ofCore, ofParts].flatMap(({ metafile }) => Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs)));
const twice = bundled.filter((name, at) => !name.startsWith("core:") && bundled.indexOf(name) !== at);
if (twice.length) throw new Error(`js/static_widgets/shared.js must export what several parts need of ${twice.join(", ")}`);

/** @type {Record<string, { parts: string[], defaults: Record<string, any> }>} */
const kinds = {};
for (const [part, those] of Object.entries(PARTS)) {
  for (const [name, { defaults, needs = [] }] of Object.entries(those)) kinds[name] = { parts: [part, ...needs], defaults };
}
if (Object.keys(kinds).length !== Object.keys(CONTROLS).length) throw new Error("js/static_widgets/kinds.js must name a kind in one part alone");
await writeFile(join(runtime, "kinds.json"), `${JSON.stringify({ parts: order, kinds, sizes: SIZES }, null, 1)}\n`);

// KaTeX's style sheet with the fonts in the one format that every browser of today reads.
const katex = join(root, "node_modules/katex/dist");
const assets = join(output, "book/assets/katex");
await mkdir(join(assets, "fonts"), { recursive: true });
const css = await readFile(join(katex, "katex.min.css"), "utf8");
await writeFile(join(assets, "katex.min.css"), css.replaceAll(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, ""));
for (const name of await readdir(join(katex, "fonts"))) {
  if (name.endsWith(".woff2")) await cp(join(katex, "fonts", name), join(assets, "fonts", name));
}
