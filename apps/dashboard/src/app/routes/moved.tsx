import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { movedTo } from '../moved.ts'
import { program } from './program.tsx'

/** Every address below a program that no screen has. */
export const moved = createRoute({
  getParentRoute: () => program,
  path: '/$',
  beforeLoad: ({ params: { programId, _splat = '' }, location: { search, hash } }) => {
    const path = movedTo({ path: _splat.replace(/\/$/, ''), search })
    if (!path) throw notFound()
    throw redirect({ to: `/programs/${programId}/${path}` as '.', search: search as never, hash, replace: true })
  },
})
