import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { givenPayingProgram } from '../../../apps/server/test/support/money.ts'
import { clickEventsOf } from '../../../apps/server/test/support/records.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { blocksOf, blockWith } from './support/guides.ts'
import { givenVisitor, settled, startBrowser } from './support/visitors.ts'

const service = await givenService()
await startBrowser()
const program = await givenPayingProgram(service, {})
const blocks = await blocksOf('add-the-script.md', {
  'https://track.example.com': service.url,
  'data-program-id="12"': `data-program-id="${program.id}"`,
  'programId: 12': `programId: ${program.id}`,
})

/** Visits a page that contains only the code from the guide, through a referral link. */
const visitPage = async (html: string, { path = '', headers = {}, script = '' } = {}) => {
  const answers: Record<string, [body: string, type: string]> = { '/app.js': [script, 'text/javascript'] }
  const site = Bun.serve({
    port: 0,
    fetch: ({ url }) => {
      const [body, type] = answers[new URL(url).pathname] ?? [`<!doctype html><title>Guide</title>${html}`, 'text/html']
      return new Response(body, { headers: { 'content-type': type, ...headers } })
    },
  })
  const visitor = await givenVisitor()
  await visitor.page.goto(`http://shop.localhost:${site.port}/?${path || `aff=${program.link.aff}`}`)
  return {
    ...visitor,
    leave: async () => {
      await visitor.leave()
      await site.stop(true)
    },
  }
}

const expectRecorded = async (visitor: Awaited<ReturnType<typeof visitPage>>) => {
  const clickId = await settled(visitor.page)
  expect((await clickEventsOf(service, program.link.id)).at(-1)).toMatchObject({ clickId })
  expect(clickId).toBeString()
  return clickId
}

const LINE = blocks.find(({ language }) => language === 'html')?.code ?? ''

test('one line records a visit', async () => {
  expect(LINE.trim().split('\n')).toHaveLength(1)
  const visitor = await visitPage(LINE)
  await expectRecorded(visitor)
  await visitor.leave()
})

test('the Next.js layout has the same effect', async () => {
  const file = join(import.meta.dir, '../dist', `layout-${process.pid}.tsx`)
  // Next.js adds the element with its own script; here it is in the page from the start.
  const code = blockWith(blocks, 'tsx', 'next/script')
    .replace(/import Script.*\n/, `const Script = (attributes) => <script {...attributes} defer />\n`)
    .concat(`\nexport { renderToString } from 'react-dom/server'\nexport { createElement } from 'react'\n`)
  await Bun.write(file, `/** @jsxImportSource react */\n${code}`)
  const { default: Layout, renderToString, createElement } = await import(file)
  rmSync(file)
  const visitor = await visitPage(renderToString(createElement(Layout, null, 'Acme')))
  await expectRecorded(visitor)
  await visitor.leave()
})

test('the module has the same effect', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-guide-'))
  const code = blockWith(blocks, 'js', 'startTracker').replace(
    '@tributary/tracker',
    join(import.meta.dir, '../src/index.ts'),
  )
  await Bun.write(join(folder, 'app.ts'), code)
  const { outputs } = await Bun.build({ entrypoints: [join(folder, 'app.ts')] })
  const visitor = await visitPage('<script defer src="/app.js"></script>', { script: await outputs[0]?.text() })
  await expectRecorded(visitor)
  await visitor.leave()
  rmSync(folder, { recursive: true })
})

test('the check logs what the guide shows, and the step is complete', async () => {
  const visitor = await visitPage(LINE, { path: 'service_test=1' })
  await settled(visitor.page)
  expect(visitor.lines()).toEqual([blockWith(blocks, 'text', 'Test click received').trim()])
  await visitor.leave()

  const folder = mkdtempSync(join(tmpdir(), 'tributary-guide-'))
  const [name = '', value = ''] = program.owner.cookie.split(/=(.*)/s)
  await Bun.write(join(folder, 'cookies.txt'), `localhost\tFALSE\t/\tFALSE\t0\t${name}\t${value}\n`)
  const env = { PATH: process.env.PATH, BASE_URL: service.url, PROGRAM_ID: String(program.id) }
  const { stdout } = Bun.spawn(['bash', '-euc', blockWith(blocks, 'sh', 'curl')], { cwd: folder, env })
  expect(await new Response(stdout).text()).toBe(blockWith(blocks, 'text', '"pageview"'))
  rmSync(folder, { recursive: true })
})

test('the hidden field is filled in, and signup returns what the guide shows', async () => {
  const visitor = await visitPage(blockWith(blocks, 'html', '<form'))
  const clickId = await expectRecorded(visitor)
  await visitor.page.waitForFunction(`document.querySelector('[name=click_id]').value === '${clickId}'`)
  const code = blockWith(blocks, 'js', 'service.signup')
  const answer = await visitor.page.evaluate(`(async () => { ${code}; return response })()`)
  const shown = JSON.parse(blockWith(blocks, 'json', 'provisional'))
  expect(answer).toEqual({ ...shown, click_id: clickId })
  await visitor.leave()
})

test('the payment link carries the click_id', async () => {
  const visitor = await visitPage(blockWith(blocks, 'html', 'data-payment-hosts'))
  const clickId = await expectRecorded(visitor)
  const href = await visitor.page.evaluate<string>('document.querySelector("a").href')
  expect(href).toBe(`https://pay.shop.example/premium?client_reference_id=${clickId}`)
  await visitor.leave()
})

test('the consent buttons work', async () => {
  const consent = blockWith(blocks, 'html', 'data-consent')
  const refused = await visitPage(consent)
  await refused.page.click('#refuse')
  expect(await settled(refused.page)).toBeNull()
  expect(await refused.context.cookies()).toEqual([])
  await refused.leave()
  const accepted = await visitPage(consent)
  expect(await accepted.context.cookies()).toEqual([])
  await accepted.page.click('#accept')
  await expectRecorded(accepted)
  await accepted.leave()
})

test('the content security policy is sufficient', async () => {
  const [name = '', policy = ''] = blockWith(blocks, 'http', 'script-src').trim().split(': ')
  const visitor = await visitPage(LINE, { headers: { [name]: policy } })
  await expectRecorded(visitor)
  await visitor.leave()
})

test('every block of the guide was run', () => {
  expect(
    blocks
      .map(({ language }) => language)
      .toSorted()
      .join(),
  ).toBe('html,html,html,html,http,js,js,json,sh,text,text,tsx')
})
