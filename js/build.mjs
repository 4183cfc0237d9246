// Bundles everything the pages run. `node js/build.mjs [output folder]` writes below the repository, or below another
// folder, which the tests use to compare what is committed with a fresh build.
import { build } from "esbuild";
import { cp, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { BOXES, CONTROLS, SIZES } from "./static_widgets/kinds.js";

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
await build({
  ...common,
  entryPoints: [join(root, "js/static_widgets/static_widgets.js"), join(root, "js/static_widgets/menu_items.js"), join(root, "js/static_widgets/static_widgets.css")],
  format: "iife",
  outdir: runtime,
});
const controls = Object.fromEntries(Object.entries(CONTROLS).map(([name, { defaults }]) => [name, defaults]));
const kinds = { boxes: Object.keys(BOXES), controls, sizes: SIZES };
await writeFile(join(runtime, "kinds.json"), `${JSON.stringify(kinds, null, 1)}\n`);

// KaTeX's style sheet with the fonts in the one format that every browser of today reads.
const katex = join(root, "node_modules/katex/dist");
const assets = join(output, "book/assets/katex");
await mkdir(join(assets, "fonts"), { recursive: true });
const css = await readFile(join(katex, "katex.min.css"), "utf8");
await writeFile(join(assets, "katex.min.css"), css.replaceAll(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, ""));
for (const name of await readdir(join(katex, "fonts"))) {
  if (name.endsWith(".woff2")) await cp(join(katex, "fonts", name), join(assets, "fonts", name));
}
