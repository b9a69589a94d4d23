import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Glob } from 'bun'

const ROOT = resolve(import.meta.dir, '../../..')
const FENCED_BLOCK = /^```.*?^```/gms
const LINK = /\]\(([^)\s]+)\)/g

/** The anchor GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .replaceAll(/[`*]|\]\([^)]*\)|\[/g, '')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, '')
    .replaceAll(' ', '-')

const read = (path: string) => readFileSync(path, 'utf8').replaceAll(FENCED_BLOCK, '')
const anchorsIn = (path: string) => [...read(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

const isBroken = (page: string, link: string) => {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : resolve(dirname(page), path)
  if (!existsSync(target)) return true
  return anchor !== undefined && target.endsWith('.md') && !anchorsIn(target).includes(anchor)
}

test('every link in the documents leads to a file and a heading that exist', () => {
  const pages = ['*.md', 'docs/**/*.md', 'packages/*/*.md', 'examples/**/*.md']
    .flatMap((pattern) => [...new Glob(pattern).scanSync({ cwd: ROOT })])
    .filter((page) => !page.includes('node_modules'))
  expect(pages.length).toBeGreaterThan(40)
  const broken = pages.flatMap((page) =>
    [...read(join(ROOT, page)).matchAll(LINK)]
      .map(([, link = '']) => link)
      .filter((link) => !/^[a-z]+:/.test(link) && isBroken(join(ROOT, page), link))
      .map((link) => `${page}: ${link}`),
  )
  expect(broken).toEqual([])
})
