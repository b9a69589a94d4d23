import type { Context, Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import type { ShopConfig } from '../config.ts'
import type { Customers } from '../customers.ts'
import type { hostedCheckoutOf } from '../hosted-checkout.ts'
import type { Frame } from '../pages/layout.ts'
import type { Referrals } from '../referrals.ts'

export type Dependencies = {
  config: ShopConfig
  customers: Customers
  referrals: Referrals
  hostedCheckout: ReturnType<typeof hostedCheckoutOf>
  shopUrl: () => string
}
export type App = Hono

export const SESSION_COOKIE = 'quillet_session'

export const frameOf = (c: Context, { config, customers }: Dependencies): Frame => ({
  config,
  customer: customers.bySession(getCookie(c, SESSION_COOKIE)),
})

export const field = async (c: Context, name: string) => {
  const value = (await c.req.parseBody())[name]
  return typeof value === 'string' ? value.trim() : ''
}
