import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Recreates the dashboard's font and its license from npm: `node scripts/subset-font.mjs`. The tools are installed in a temporary
 * folder, because nothing else needs them.
 */
const TOOLS = ['inter-ui@4.1.1', 'subset-font@2.9.0', 'fontverter@2.0.0', 'harfbuzzjs@1.6.4', 'wawoff2@2.0.1']

const DASHBOARD = join(import.meta.dirname, '../apps/dashboard')
const FONT = join(DASHBOARD, 'src/font/inter.woff2')
// In `public`, so that every copy of the built dashboard has it.
const LICENSE = join(DASHBOARD, 'public/inter-license.txt')

const range = (first, last) =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index))

const LATIN = range(0x20, 0x7e) + range(0xa0, 0x17f)
/** Romanian, and the capital ß. */
const FURTHER_LETTERS = 'ȘșȚțẞ'
const CURRENCY_SIGNS = range(0x20a0, 0x20c0)
const SIGNS = `${range(0x2009, 0x2015)}‘’‚“”„†‡•…‰′″‹›⁄\u202f™←↑→↓⇧⋯⌘⌥⏎−×≈≠≤≥`

/** Tabular figures, and what letters need to fit each other. */
const FEATURES = ['calt', 'case', 'ccmp', 'kern', 'locl', 'mark', 'mkmk', 'tnum']

const folder = mkdtempSync(join(tmpdir(), 'subset-font-'))
try {
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--silent']
  execFileSync('npm', ['install', ...options, ...TOOLS], { shell: process.platform === 'win32' })
  const subset = createRequire(join(folder, 'package.json'))('subset-font')
  const inter = join(folder, 'node_modules/inter-ui')
  const font = await subset(
    readFileSync(join(inter, 'variable/InterVariable.woff2')),
    LATIN + FURTHER_LETTERS + CURRENCY_SIGNS + SIGNS,
    {
      targetFormat: 'woff2',
      keepFeatures: FEATURES,
      // Copyright and license.
      preserveNameIds: [0, 13, 14],
      // One design for all sizes, from regular to bold.
      variationAxes: { opsz: 14, wght: { min: 400, max: 700 } },
    },
  )
  writeFileSync(FONT, font)
  copyFileSync(join(inter, 'LICENSE.txt'), LICENSE)
  console.log(`${font.length} bytes`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
