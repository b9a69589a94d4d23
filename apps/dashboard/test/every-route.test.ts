import { expect, test } from 'bun:test'
import { QueryClient } from '@tanstack/react-query'
import { samplesIn } from '../../server/src/notifications/operations/notification-emails.ts'
import { writeEmail } from '../../server/src/notifications/write-email.ts'
import { createAppRouter } from '../src/app/routes.tsx'
import { EVERY_SCREEN } from './support/screens.ts'

/** These only redirect, frame other screens, or exist on a phone only. */
const WITHOUT_A_SCREEN = ['/', '/programs/$programId/settings', '/programs/$programId/$']

/** The paths of all routes, with names for what varies: /programs/$programId/links. */
const everyRoute = () => {
  const { routesByPath } = createAppRouter(new QueryClient())
  return [...new Set(Object.keys(routesByPath).map((path) => path.replace(/(.)\/$/, '$1')))]
}

test('every route is in the list of screens that the tests visit', () => {
  const visited = [...EVERY_SCREEN.map(({ route }) => route), ...WITHOUT_A_SCREEN]
  expect(visited.toSorted()).toEqual(everyRoute().toSorted())
})

test('every link in a notification leads to a screen', () => {
  const screens = everyRoute().map((path) => new RegExp(`^${path.replace(/\$\w+/g, '[^/]+')}$`))
  const written = { program: { id: 1, name: 'Test', timezone: 'UTC' }, sender: { programName: 'Test' }, userId: null }
  const addresses = { baseUrl: 'http://app', portalUrl: 'http://portal', unsubscribeKey: Buffer.alloc(32) }
  const links = samplesIn('USD').flatMap(
    (fact) => writeEmail({ ...written, ...addresses, fact }).text.match(/https?:\S+/g) ?? [],
  )
  expect(links.length).toBe(2 * samplesIn('USD').length)
  const lost = links.filter((link) => !screens.some((screen) => screen.test(new URL(link).pathname)))
  expect(lost).toEqual([])
})
