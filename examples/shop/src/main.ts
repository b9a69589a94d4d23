import { readShopConfig, startShop } from './start-shop.ts'

/** `bun examples/shop/src/main.ts`: the shop alone, against a service and a processor that run elsewhere. */
try {
  const shop = startShop(readShopConfig(process.env))
  console.log(`Quillet is open at ${shop.url}`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, async () => {
      await shop.stop()
      process.exit(0)
    })
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}
