import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copyDocuments } from '../copy-documents.ts'

const ROOT = join(import.meta.dir, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'tributary-documents-'))
afterAll(() => rmSync(folder, { recursive: true }))

const findDeadLinks = (root: string, pattern: string) =>
  [...new Bun.Glob(pattern).scanSync(root)].flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('](')
      .slice(1)
      .map((rest) => rest.split(/[)#]/)[0] ?? '')
      .filter((target) => target && !target.includes(':') && !existsSync(join(root, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  )

test('every relative link works in the repository and in the package, which has what the production guide needs', () => {
  expect(findDeadLinks(ROOT, '{*,{docs,deploy}/**/*}.md')).toEqual([])
  copyDocuments(ROOT, folder)
  expect(findDeadLinks(folder, '**/*.md')).toEqual([])
  for (const file of ['systemd/tributary.service', 'systemd/tributary.sh', 'prometheus/alerts.yml'])
    expect(existsSync(join(folder, 'deploy', file))).toBe(true)
  const guide = readFileSync(join(folder, 'docs/guides/production.md'), 'utf8')
  expect(guide).toContain('(../../deploy/grafana/tributary.json)')
  expect(guide).toContain('(../configuration.md#log)')
})
