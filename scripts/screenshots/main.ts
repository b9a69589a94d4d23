import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '../browser/launch-browser.ts'
import { prepareDemo } from './prepare-demo.ts'
import { startDemoService } from './start-demo-service.ts'
import { type Picture, takePictures } from './take-pictures.ts'

const FOLDER = join(import.meta.dir, '../../docs/screenshots')

const dataDir = mkdtempSync(join(tmpdir(), 'tributary-screenshots-'))
const service = await startDemoService(dataDir)
const browser = await launchBrowser()
try {
  const pictures = await takePictures(browser, service.url, await prepareDemo(service.url, dataDir))
  keep(pictures)
} finally {
  await browser.close()
  await service.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

/** Replaces all pictures, which removes those of deleted pages. */
function keep(pictures: Picture[]) {
  mkdirSync(FOLDER, { recursive: true })
  for (const name of readdirSync(FOLDER)) if (name.endsWith('.webp')) rmSync(join(FOLDER, name))
  for (const { name, bytes } of pictures) writeFileSync(join(FOLDER, `${name}.webp`), bytes)
  const kilobytes = Math.round(pictures.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1024)
  console.log(`Saved ${pictures.length} pictures (${kilobytes} KB) in docs/screenshots.`)
}
