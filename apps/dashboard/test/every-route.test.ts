import { expect, test } from 'bun:test'
import { QueryClient } from '@tanstack/react-query'
import { createAppRouter } from '../src/app/routes.tsx'
import { EVERY_SCREEN } from './support/screens.ts'

/** These only redirect or frame other screens. */
const WITHOUT_A_SCREEN = ['/', '/programs/$programId/settings']

test('every route is in the list of screens that the tests visit', () => {
  const { routesByPath } = createAppRouter(new QueryClient())
  const routes = new Set(Object.keys(routesByPath).map((path) => path.replace(/(.)\/$/, '$1')))
  const visited = [...EVERY_SCREEN.map(({ route }) => route), ...WITHOUT_A_SCREEN]
  expect(visited.toSorted()).toEqual([...routes].toSorted())
})
