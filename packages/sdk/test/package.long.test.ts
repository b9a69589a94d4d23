import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '@tributary/contract/version'
import { givenClick, givenProgram, unique } from '../../../apps/server/test/support/given.ts'
import { givenService } from '../../../apps/server/test/support/shared-service.ts'
import { isLongRun, sized } from '../../../apps/server/test/support/size.ts'
import manifest from '../package.json'
import { startFaultServer } from './support/fault-server.ts'
import { textOfGuide } from './support/guide.ts'
import { givenInstalledProject, ROOT } from './support/installed-project.ts'

const service = await givenService()
const project = await givenInstalledProject(service)
const installed = join(project.folder, 'node_modules/@tributary/sdk')
const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((name) =>
  statSync(join(installed, name)).isFile(),
)
const textOf = (name: string) => readFileSync(join(installed, name), 'utf8')

describe('the installed package', () => {
  test('comes from the command in the guide, in the version of the service', async () => {
    expect(textOfGuide('send-leads.md')).toContain('npm install "$TRIBUTARY_URL/sdk.tgz"')
    expect(JSON.parse(textOf('package.json')).version).toBe(VERSION)
    const { etag = '' } = Object.fromEntries((await fetch(`${service.url}/sdk.tgz`)).headers)
    const again = await fetch(`${service.url}/sdk.tgz`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  test('has no dependencies', () => {
    expect(readdirSync(join(project.folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@tributary',
    ])
    const published = JSON.parse(textOf('package.json'))
    for (const field of ['dependencies', 'peerDependencies', 'scripts', 'private'])
      expect(published).not.toHaveProperty(field)
    expect(published.engines).toEqual({ node: '>=18' })
  })

  test('has JavaScript and types for every entry, a license and a README, and no sources', () => {
    for (const name of Object.keys(manifest.exports)) {
      const file = name === '.' ? 'index' : name.slice(2)
      for (const folder of ['', 'cjs/'])
        for (const ending of ['.js', '.d.ts']) expect(files).toContain(folder + file + ending)
    }
    expect(files).toContain('LICENSE')
    expect(files).toContain('README.md')
    expect(files.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([])
  })

  test('imports only its own files and needs nothing newer than Node 18', () => {
    const code = files.filter((name) => /\.(js|d\.ts)$/.test(name))
    expect(code.length).toBeGreaterThan(20)
    for (const name of code) {
      const imported = [...textOf(name).matchAll(/(?:from|import|require)\s*\(?['"]([^'"]+)['"]/g)].map(
        ([, path = '']) => path,
      )
      expect(imported.filter((path) => !/^\.\.?\/([\w-]+\/)?[\w-]+\.js$/.test(path))).toEqual([])
      // Newer built-ins. The compiler does not catch them: its library is ES2022, but its DOM types are current.
      expect(textOf(name)).not.toMatch(
        /AbortSignal\.(any|timeout)|URL\.(canParse|parse)|\bprocess\b|\bBuffer\b|\bzod\b/,
      )
    }
  })
})

test('internal options are not in the types', () => {
  expect(textOf('tributary.d.ts')).toContain('budgetMs')
  expect(textOf('tributary.d.ts')).not.toContain('pace')
})

describe('it compiles in a TypeScript project', () => {
  const WEB = { lib: ['es2022', 'dom'], types: [] }
  const NODE = { lib: ['es2022'], types: ['node'], typeRoots: [join(ROOT, 'node_modules/@types')] }
  const KINDS = [
    ['nodenext', 'nodenext', "Node's globals", NODE],
    ['preserve', 'bundler', "the web's globals", WEB],
    ['nodenext', 'nodenext', "the web's globals", WEB],
  ] as const
  for (const [module, moduleResolution, where, globals] of KINDS.slice(0, sized({ short: 1, long: 3 })))
    test(`with moduleResolution ${moduleResolution} and ${where} in strict mode`, async () => {
      project.copy(join(import.meta.dir, 'support/consumer.ts'), 'consumer.ts')
      const compilerOptions = {
        module,
        moduleResolution,
        target: 'es2022',
        ...globals,
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
        noEmit: true,
      }
      project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['consumer.ts'] }))
      expect(await project.run(['node', join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toBe('')
    })
})

test.skipIf(!isLongRun)('it can be required, with types for CommonJS', async () => {
  const entries = Object.keys(manifest.exports).map((name) => `@tributary/sdk${name.slice(1)}`)
  project.write('required.cjs', `console.log(${entries.map((name) => `typeof require('${name}')`)})`)
  expect(await project.run(['node', 'required.cjs'])).toBe(`${entries.map(() => 'object').join(' ')}\n`)
  const options = "{ apiKey: 'trk_1_2', baseUrl: 'https://track.example.com' }"
  project.write(
    'required.cts',
    `import { Tributary } from '@tributary/sdk'\nexport const client = new Tributary(${options})\n`,
  )
  const compilerOptions = { module: 'node18', strict: true, types: [], lib: ['es2022', 'dom'], noEmit: true }
  project.write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['required.cts'] }))
  expect(await project.run(['node', join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.'])).toBe('')
})

describe('it runs on a server', () => {
  for (const [name, runtime] of [
    ['Node', 'node'],
    ['Bun', process.execPath],
  ].slice(0, sized({ short: 1, long: 2 })) as [string, string][])
    test(`on ${name}, with and without network faults`, async () => {
      const program = await givenProgram(service)
      const clickId = await givenClick(service, program.link)
      const customer = unique('user')
      const faulty = await startFaultServer(
        'reset',
        'half answer',
        { status: 502, body: '<html>' },
        { forwardTo: service.url },
      )
      const redirect = await startFaultServer({ status: 308, headers: { location: 'https://elsewhere.example/' } })
      const hanging = await startFaultServer('hang')
      project.copy(join(import.meta.dir, 'support/merchant.mjs'), 'merchant.mjs')
      const output = await project.run([runtime, 'merchant.mjs'], {
        API_KEY: program.key,
        CLICK_ID: clickId,
        CUSTOMER: customer,
        INVOICE: unique('inv'),
        SERVICE_URL: service.url,
        FAULTY_URL: faulty.url,
        REDIRECT_URL: redirect.url,
        HANGING_URL: hanging.url,
      })
      const keys = { service_click_id: clickId, service_customer_key: customer, program_id: '12' }
      const saleId = expect.any(Number)
      expect(JSON.parse(output)).toEqual({
        clickIds: Array(5).fill(clickId),
        metadata: { metadata: keys, subscription_data: { metadata: keys } },
        wrong: 'amount',
        lead: {
          leadId: saleId,
          customerExternalId: customer,
          clickId,
          creditedBy: 'click',
          duplicate: false,
          provisional: false,
        },
        sale: { duplicate: false, saleId, attributed: true, reason: null, creditedBy: 'click', commissionId: null },
        again: { duplicate: true, saleId },
        throughFaults: { duplicate: true, saleId },
        refund: expect.objectContaining({ refundedAmount: 900, duplicate: false }),
        redirected: ['redirected', 308, 1],
        otherSale: ['duplicate_invoice', 409, 1],
        timedOut: ['timed_out', null, 1],
        aborted: 'given up',
        forged: 'invalid_signature',
      })
      expect(faulty.requests.length).toBe(4)
    })
})
