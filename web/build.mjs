// node build.mjs [--check]: makes src/schema.ts from the description of the endpoints, and dist/ from src/. With --check
// nothing is written: it ends with an error where what is there is not what would be made.
import * as esbuild from "esbuild";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const check = process.argv.includes("--check");
let stale = 0;

function put(name, text) {
  const path = join(folder, name);
  const old = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (old === text) return;
  if (check) {
    console.error(`web/${name} is not what 'npm run build' makes`);
    stale = 1;
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** A schema as a type of TypeScript. */
function type(schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.oneOf) return schema.oneOf.map(type).join(" | ");
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  switch (schema.type) {
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "string":
      return "string";
    case "array":
      return `Array<${type(schema.items)}>`;
    case "object": {
      const required = new Set(schema.required ?? []);
      const members = Object.entries(schema.properties ?? {}).map(
        ([name, member]) => `${name}${required.has(name) ? "" : "?"}: ${type(member)}`,
      );
      return members.length ? `{ ${members.join("; ")} }` : "Record<string, unknown>";
    }
    default:
      return "unknown";
  }
}

const api = JSON.parse(readFileSync(join(folder, "../studio/openapi.json"), "utf8"));
const types = Object.entries(api.components.schemas).map(([name, schema]) => `export type ${name} = ${type(schema)};`);
put("src/schema.ts", `// Made by build.mjs from studio/openapi.json.\n${types.join("\n")}\n`);

const result = await esbuild.build({
  entryPoints: [join(folder, "src/main.ts")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  write: false,
});
put("dist/studio.js", result.outputFiles[0].text);
const style = await esbuild.transform(readFileSync(join(folder, "src/studio.css"), "utf8"), { loader: "css", minify: true });
put("dist/studio.css", style.code);
put("dist/index.html", readFileSync(join(folder, "src/index.html"), "utf8"));
process.exit(stale);
