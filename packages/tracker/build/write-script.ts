import { TRACKER_FILE } from '@tributary/contract/names'
import { bundle } from './bundle.ts'

/** Writes service-tracker.js. With --check it only fails if the file is out of date. */
const path = `${import.meta.dir}/../${TRACKER_FILE}`
const code = await bundle('script.ts')
if (!process.argv.includes('--check')) await Bun.write(path, code)
else if ((await Bun.file(path).text()) !== code) {
  console.error(`packages/tracker/${TRACKER_FILE} is out of date. Run npm run generate.`)
  process.exit(1)
}
