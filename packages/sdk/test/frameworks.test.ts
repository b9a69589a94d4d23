import { afterAll, describe, expect, test } from 'bun:test'
import type { AddressInfo } from 'node:net'
import { TributaryArgumentError } from '@tributary/sdk'
import * as forExpress from '@tributary/sdk/express'
import * as forFastify from '@tributary/sdk/fastify'
import * as forHono from '@tributary/sdk/hono'
import * as forNext from '@tributary/sdk/next'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { caught } from './support/caught.ts'

const CLICK = '12_m1abcdefgAbC-_9xyzAbC-_9xyz01'
const HEADERS = { cookie: `theme=dark; service_click_id=${CLICK}` }

/** Tests only the helper, with the frameworks' own types. guides.long.test.ts runs the complete servers. */
describe('clickIdFrom reads the click ID from a request of', () => {
  test('Express, without a cookie parser', async () => {
    const app = express()
    app.get('/', (request, response) => {
      response.json(forExpress.clickIdFrom(request))
    })
    const server = app.listen(0, '127.0.0.1')
    afterAll(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await (await fetch(url, { headers: HEADERS })).json()).toBe(CLICK)
    expect(await (await fetch(url)).json()).toBeNull()
  })

  test('Fastify, without a plugin', async () => {
    const app = fastify()
    app.get('/', async (request) => ({ clickId: forFastify.clickIdFrom(request) }))
    expect((await app.inject({ url: '/', headers: HEADERS })).json()).toEqual({ clickId: CLICK })
    expect((await app.inject({ url: '/' })).json()).toEqual({ clickId: null })
    await app.close()
  })

  test('Hono', async () => {
    const app = new Hono().get('/', (c) => c.json(forHono.clickIdFrom(c)))
    expect(await (await app.request('/', { headers: HEADERS })).json()).toBe(CLICK)
    expect(await (await app.request('/')).json()).toBeNull()
  })

  test('Next.js: a route handler, an API route, and cookies() in every version', async () => {
    const request = new Request('https://shop.example/sign-up', { headers: HEADERS })
    expect(await forNext.clickIdFrom(request)).toBe(CLICK)
    expect(await forNext.clickIdFrom({ headers: HEADERS })).toBe(CLICK)
    const store = { get: (name: string) => (name === 'service_click_id' ? { name, value: CLICK } : undefined) }
    expect(await forNext.clickIdFrom(store)).toBe(CLICK)
    expect(await forNext.clickIdFrom(Promise.resolve(store))).toBe(CLICK)
    expect(await forNext.clickIdFrom({ get: () => undefined })).toBeNull()
    expect(await forNext.clickIdFrom({ get: () => ({ value: '<script>' }) })).toBeNull()
    expect(await forNext.clickIdFrom(new Request('https://shop.example/'))).toBeNull()
  })

  test('nothing else: a wrong argument throws instead of returning null', async () => {
    for (const wrong of [undefined, null, 'cookie', {}])
      for (const { clickIdFrom } of [forExpress, forFastify, forHono, forNext])
        expect(await caught(() => clickIdFrom(wrong as never))).toBeInstanceOf(TributaryArgumentError)
  })
})
