import { expect, test } from 'bun:test'
import { trackerSnippets } from '../src/pages/set-up/snippets.ts'

const place = { baseUrl: 'https://track.example.com', programId: 12 }
const codes = (respectGlobalPrivacyControl: boolean) =>
  trackerSnippets({ ...place, respectGlobalPrivacyControl }).map(({ code }) => code)

test('the script tag has data-gpc only if the program respects Global Privacy Control', () => {
  for (const code of codes(false)) expect(code).not.toContain('gpc')
  for (const code of codes(true)) expect(code).toContain('data-program-id="12" data-gpc="respect"')
})
