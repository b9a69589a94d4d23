import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueryClient } from './api/query-client.ts'
import { createAppRouter } from './app/routes.tsx'
import './styles.css'

/** A session that ended under an open page: back to the sign-in, and from there to where one was. */
const signInAgain = () => {
  queries.removeQueries({ queryKey: ['session'] })
  void router.invalidate()
}

const queries = createQueryClient(signInAgain)
const router = createAppRouter(queries)

const element = document.getElementById('root')
if (element)
  createRoot(element).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
