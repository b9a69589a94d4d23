import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readConfig, SECRET_SETTINGS } from '../src/config/config.ts'
import { watchSettings } from '../src/config/unknown-settings.ts'

test('docs/configuration.md lists every setting, and every secret that can be in a file', async () => {
  const text = await Bun.file(join(import.meta.dir, '../../../docs/configuration.md')).text()
  const { watched, known } = watchSettings({})
  readConfig(watched)
  const settings = [...known].filter((name) => !name.endsWith('_FILE'))
  expect(settings.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  const listed = /These are (.*?)\.\n/s.exec(text)?.[1]?.match(/[A-Z\d_]{4,}/g) ?? []
  expect(listed.toSorted()).toEqual([...SECRET_SETTINGS].toSorted())
})
