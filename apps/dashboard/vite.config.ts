import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.ts'

const service = process.env.TRIBUTARY_SERVICE ?? 'http://localhost:3000'
const SERVED_BY_THE_SERVICE = [
  '/api',
  '/docs',
  '/openapi.json',
  '/service-tracker.js',
  '/healthz',
  '/readyz',
  '/metrics',
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), precompress()],
  resolve: { alias: { '~': `${import.meta.dirname}/src` } },
  build: {
    manifest: true,
    target: 'es2023',
    // The polyfill would be an inline script; every browser that runs our code preloads modules by itself.
    modulePreload: { polyfill: false },
    // A data: address in a style sheet would need a wider Content-Security-Policy than files do.
    assetsInlineLimit: 0,
    // Or every icon that two screens share would be a request of its own.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'icons', test: /lucide-react|clsx/ }],
          includeDependenciesRecursively: false,
        },
      },
    },
    chunkSizeWarningLimit: 1000,
  },
  server: {
    proxy: Object.fromEntries(SERVED_BY_THE_SERVICE.map((path) => [path, { target: service }])),
  },
})
