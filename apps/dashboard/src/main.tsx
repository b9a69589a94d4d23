import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionEnded } from './api/accounts/session-ended.ts'
import { createQueryClient } from './api/query-client.ts'
import { createAppRouter } from './app/routes.tsx'
import './styles.css'
import './theme.ts'

const queries = createQueryClient(() => sessionEnded.set(true))
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
