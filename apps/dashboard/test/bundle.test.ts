import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DIST, givenBuiltDashboard } from './support/built.ts'

type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: string[]; dynamicImports?: string[] }>

const BUDGET_BYTES = 200 * 1024
await givenBuiltDashboard()
const manifest: Manifest = JSON.parse(readFileSync(join(DIST, '.vite/manifest.json'), 'utf8'))

/** A chunk and its static imports. */
const withImports = (name: string, seen = new Set<string>()): Set<string> => {
  if (seen.has(name)) return seen
  seen.add(name)
  for (const imported of manifest[name]?.imports ?? []) withImports(imported, seen)
  return seen
}

const brotliBytes = (names: Iterable<string>) => {
  const files = new Set([...names].map((name) => manifest[name]?.file ?? ''))
  const fileSize = (file: string) => {
    const path = join(DIST, file)
    return statSync(`${path}.br`, { throwIfNoEntry: false })?.size ?? statSync(path).size
  }
  return [...files].reduce((sum, file) => sum + fileSize(file), 0)
}

const entry = () => Object.keys(manifest).find((name) => manifest[name]?.isEntry) ?? ''
/** The chunks that routes load lazily. */
const screens = () => (manifest[entry()]?.dynamicImports ?? []).filter((name) => name.startsWith('src/pages/'))

test('no screen needs more than 200 KB of script, Brotli, before it shows', () => {
  expect(screens().length).toBeGreaterThanOrEqual(10)
  const shell = 'src/app/shell/shell.tsx'
  for (const screen of screens()) {
    const bytes = brotliBytes(new Set([entry(), shell, screen].flatMap((name) => [...withImports(name)])))
    expect({ screen, bytes, fits: bytes <= BUDGET_BYTES }).toMatchObject({ fits: true })
  }
})

test('charts, the command palette and QR codes load on demand', () => {
  const first = new Set(screens().flatMap((screen) => [...withImports(screen), ...withImports(entry())]))
  for (const late of ['trend-drawing', 'command-palette', 'shared-qr-code']) {
    const name = Object.keys(manifest).find((key) => key.includes(late)) ?? ''
    expect([late, Boolean(manifest[name])]).toEqual([late, true])
    expect([late, first.has(name)]).toEqual([late, false])
  }
})

test('contains only the contract’s types: no zod, and no other host’s URL', () => {
  const scripts = readdirSync(join(DIST, 'assets')).filter((name) => name.endsWith('.js'))
  expect(scripts.length).toBeGreaterThan(5)
  for (const name of scripts) {
    const text = readFileSync(join(DIST, 'assets', name), 'utf8')
    expect([name, /ZodError|\$ZodType/.test(text)]).toEqual([name, false])
    expect([name, /fonts\.g|cdn\.|unpkg\.com|jsdelivr/.test(text)]).toEqual([name, false])
  }
})
