import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { Account, Cast } from './prepare-demo.ts'

export type Picture = { name: string; bytes: Buffer }
/** The browser state of a signed-in user. */
type Session = Awaited<ReturnType<typeof sessionOf>>
type Place = { name: string; path: string; as?: Session | undefined }

const DESKTOP = { viewport: { width: 1440, height: 900 } }
const VARIANTS: [variant: string, window: BrowserContextOptions][] = [
  ['light', { ...DESKTOP, colorScheme: 'light' }],
  ['dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['phone', { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }],
]

/** Every page in the navigation of the dashboard, its settings and the portal, a few beyond, and the signed-out pages. */
export const takePictures = async (browser: Browser, url: string, cast: Cast) => {
  const { programId } = cast
  // Once each: the service limits sign-ins per minute.
  const [owner, partner, waiting] = await Promise.all(
    [cast.owner, cast.partner, cast.waiting].map((account) => sessionOf(browser, url, account)),
  )
  const places: Place[] = [
    { name: 'sign-in', path: '/sign-in' },
    ...(await placesOf(browser, { url, path: '/', as: owner })),
    ...(await placesOf(browser, { url, path: `/programs/${programId}/settings`, as: owner, menu: 'Settings' })),
    ...Object.entries(cast.details).map(([name, path]) => ({ name, path, as: owner })),
    { name: 'application', path: `/apply/${programId}` },
    ...(await placesOf(browser, { url, path: '/portal', as: partner, prefix: 'portal-' })),
    { name: 'portal-waiting', path: '/portal', as: waiting },
  ]
  const pictures: Picture[] = []
  for (const [variant, window] of VARIANTS) {
    for (const { name, path, as } of places) {
      const take = async (page: Page) =>
        void pictures.push({ name: `${name}-${variant}`, bytes: await pictureOf(page) })
      await open(browser, { url, path, as, window }, take)
    }
    console.error(`${variant}: ${places.length} pages`)
  }
  return pictures
}

const sessionOf = async (browser: Browser, url: string, account: Account) => {
  const context = await browser.newContext()
  const answer = await context.request.post(`${url}/api/auth/sign-in/email`, { data: account })
  if (!answer.ok()) throw new Error(`${account.email} cannot sign in: ${await answer.text()}`)
  const session = await context.storageState()
  await context.close()
  return session
}

type PageOptions = { url: string; path: string; as?: Session | undefined; window?: BrowserContextOptions }

const open = async <Result>(
  browser: Browser,
  { url, path, as, window = DESKTOP }: PageOptions,
  act: (page: Page) => Promise<Result>,
) => {
  const settings = { locale: 'en-US', reducedMotion: 'reduce' as const, ...window }
  const context = await browser.newContext({ ...settings, ...(as && { storageState: as }) })
  try {
    const page = await context.newPage()
    await page.goto(url + path)
    await untilDrawn(page)
    if (as && page.url().includes('/sign-in')) throw new Error(`${path} requires a sign-in.`)
    return await act(page)
  } finally {
    await context.close()
  }
}

type Menu = { menu?: string; prefix?: string }

/** Reads the navigation, so that a new page is included automatically. */
const placesOf = (browser: Browser, { menu = 'Main', prefix = '', as, ...opening }: PageOptions & Menu) =>
  open(browser, { as, ...opening }, async (page): Promise<Place[]> => {
    const links = await page.getByRole('navigation', { name: menu }).getByRole('link').all()
    if (links.length === 0) throw new Error(`No navigation at ${opening.path}.`)
    return Promise.all(
      links.map(async (link) => {
        // Without the badge next to a name.
        const words = (await link.innerText()).toLowerCase().match(/[a-z]+/g) ?? []
        return { name: prefix + words.join('-'), path: (await link.getAttribute('href')) ?? '', as }
      }),
    )
  })

const SETTLE_MS = 400

const untilDrawn = async (page: Page) => {
  await page.locator('h1').first().waitFor()
  await page.getByRole('status').first().waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => true)')
  await Bun.sleep(SETTLE_MS) // charts measure their container before they draw
  if ((await page.getByRole('alert').count()) > 0) throw new Error(`${page.url()} shows an error.`)
}

/** WebP, which Playwright does not offer: a third of the size of PNG. */
const pictureOf = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: 75 })
  return Buffer.from(data, 'base64')
}
