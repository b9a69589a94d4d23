/** Writes docs/openapi.json. With `--check` it only fails if the file is out of date. */
import { openApiDocument } from './openapi.ts'

const file = `${import.meta.dir}/../../../../docs/openapi.json`
const fresh = `${JSON.stringify(openApiDocument(), null, 2)}\n`

if (process.argv.includes('--check')) {
  const stored = await Bun.file(file)
    .text()
    .catch(() => '')
  if (stored !== fresh) {
    console.error('docs/openapi.json is out of date. Run npm run generate.')
    process.exit(1)
  }
} else {
  await Bun.write(file, fresh)
}
