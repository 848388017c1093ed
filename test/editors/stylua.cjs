// Checks, or with --fix rewrites, the Lua files that are named, in StyLua's default style.
const fs = require("fs");
const { formatCode, Config, OutputVerification } = require("@johnnymorganz/stylua");

const fix = process.argv.includes("--fix");
let clean = true;
for (const file of process.argv.slice(2).filter((name) => name !== "--fix")) {
  const text = fs.readFileSync(file, "utf8");
  const formatted = formatCode(text, Config.new(), undefined, OutputVerification.None);
  if (formatted === text) continue;
  if (fix) fs.writeFileSync(file, formatted);
  else {
    console.error(`${file}: not in StyLua's format; run ./dev format`);
    clean = false;
  }
}
process.exit(clean ? 0 : 1);
