import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import type { ShopConfig } from '../config.ts'
import type { Customers } from '../customers.ts'
import type { createHostedCheckout } from '../hosted-checkout.ts'
import type { PageContext } from '../pages/layout.ts'
import type { Referrals } from '../referrals.ts'

export type Dependencies = {
  config: ShopConfig
  customers: Customers
  referrals: Referrals
  hostedCheckout: ReturnType<typeof createHostedCheckout>
  shopUrl: () => string
}
export type App = Hono

export const SESSION_COOKIE = 'quillet_session'

export const readContext = (c: Context, { config, customers }: Dependencies): PageContext => ({
  config,
  customer: customers.bySession(getCookie(c, SESSION_COOKIE)),
})

export const readField = async (c: Context, name: string) => {
  const value = (await c.req.parseBody())[name]
  return typeof value === 'string' ? value.trim() : ''
}
