import type { Browser } from 'playwright-core'
import { givenProgram } from '../../../../apps/server/test/support/given.ts'
import { clickEventsOf } from '../../../../apps/server/test/support/records.ts'
import type { TestService } from '../../../../apps/server/test/support/service.ts'
import { givenSite } from './site.ts'
import { givenVisitor } from './visitors.ts'

type Settings = Parameters<typeof givenProgram>[1]
type Site = Parameters<typeof givenSite>[2]

/** A program with a link, its shop and a visitor. */
export const givenShop = async (service: TestService, site: Site = {}, settings: Settings = {}, browser?: Browser) => {
  const program = await givenProgram(service, settings)
  const shop = givenSite(service, program, site)
  const { link } = program
  return {
    program,
    link,
    site: shop,
    visitor: await givenVisitor(browser),
    url: shop.page(`/?aff=${link.aff}`),
    clicks: () => clickEventsOf(service, link.id),
  }
}
