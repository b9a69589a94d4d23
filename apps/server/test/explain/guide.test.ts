import { expect, test } from 'bun:test'
import { REASONS } from '@tributary/contract'
import { OPERATIONS } from '@tributary/contract/operations'

const guide = await Bun.file(`${import.meta.dir}/../../../../docs/guides/explain.md`).text()

test('the guide lists exactly the reasons of the contract, word for word', () => {
  const listed = [...guide.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, code, sentence]) => [code, sentence])
  expect(Object.fromEntries(listed)).toEqual({ ...REASONS })
})

test('the guide names every explain endpoint', () => {
  const paths = OPERATIONS.map(({ path }) => path).filter((path) => path.endsWith('/explain'))
  expect(paths).toHaveLength(3)
  for (const path of paths) expect(guide).toContain(path.replace('{programId}', '1'))
})
