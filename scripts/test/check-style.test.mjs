import { afterEach, beforeEach, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkStyle } from '../check-style.mjs'

let root
const write = (path, text) => writeFileSync(join(root, path), text)

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tributary-style-'))
  spawnSync('git', ['init'], { cwd: root })
  write('.gitignore', 'node_modules/')
  write('biome.json', '{}')
  write('package-lock.json', '{}')
  write('one.ts', '1')
  write('two.ts', '2')
})
afterEach(() => rmSync(root, { recursive: true }))

/** The files that Biome gets, or undefined if it does not run. */
const checkedFiles = async ({ code = 0 } = {}) => {
  let checked
  const result = await checkStyle({ root }, async (files) => {
    checked = files
    return code
  })
  expect(result).toBe(checked ? code : 0)
  return checked?.sort()
}

const EVERYTHING = ['.gitignore', 'biome.json', 'one.ts', 'package-lock.json', 'two.ts']

test('a file that passed is checked again only after a change', async () => {
  expect(await checkedFiles()).toEqual(EVERYTHING)
  expect(await checkedFiles()).toBeUndefined()
  write('two.ts', 'changed')
  expect(await checkedFiles()).toEqual(['two.ts'])
  write('three.ts', '3')
  expect(await checkedFiles()).toEqual(['three.ts'])
})

test('after a failure the same files are checked again', async () => {
  await checkedFiles()
  write('two.ts', 'wrong')
  expect(await checkedFiles({ code: 1 })).toEqual(['two.ts'])
  expect(await checkedFiles()).toEqual(['two.ts'])
})

test.each(['biome.json', 'package-lock.json'])('a change of %s checks everything', async (path) => {
  await checkedFiles()
  write(path, '{"changed": true}')
  expect(await checkedFiles()).toEqual(EVERYTHING)
})
