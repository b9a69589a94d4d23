/** Writes docs/openapi.json, or with `--check` only says whether it is what the schemas give today. */
import { openApiDocument } from './openapi.ts'

const file = `${import.meta.dir}/../../../../docs/openapi.json`
const fresh = `${JSON.stringify(openApiDocument(), null, 2)}\n`

if (process.argv.includes('--check')) {
  const stored = await Bun.file(file)
    .text()
    .catch(() => '')
  if (stored !== fresh) {
    console.error('docs/openapi.json is not what the contract gives: run npm run generate')
    process.exit(1)
  }
} else {
  await Bun.write(file, fresh)
}
