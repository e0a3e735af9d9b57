# Berth in two stages: compile the product with the development tools, run with the runtime packages only.
#
#   docker build -t berth .
#   docker run --network host --cap-add SYS_NICE --ulimit rtprio=90 berth
#
# The base is a long-term release of Node (24, supported until April 2028) by its exact version and by the digest of its index of images
# (amd64 and arm64), so that a build takes these bytes and no others. `.ci/pin-image` writes version and digest anew.
#
# docs/operations.md says why these flags. No engine is needed to test the steps: .ci/dockerfile-steps runs them by hand.

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.product.json ./
COPY src ./src
COPY config ./config
COPY hil ./hil
COPY server ./server
RUN npm run build:product

FROM node:24.21.0-bookworm-slim@sha256:d6aa754f16b3197301076f047b5def2f02ea1dbbc2ca920407d46d7ec7f87b20 AS runtime
# util-linux brings chrt, with which the loop's thread asks for the real-time class
RUN apt-get update \
 && apt-get install --yes --no-install-recommends util-linux \
 && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY package.json package-lock.json ./
# beside the packages, the list of what was installed: the bill of materials of this image. Without --omit, which forgets packages that
# development tools draw in as well; and without their names in the manifest, which it would miss.
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --no-audit --no-fund \
 && npm pkg delete devDependencies \
 && npm sbom --sbom-format=cyclonedx > sbom.cdx.json
COPY --from=build /build/dist ./dist
COPY config ./config
COPY LICENSE SECURITY.md ./
# serial ports belong to dialout
RUN usermod --append --groups dialout node \
 && install --directory --owner node --group node recordings
USER node
EXPOSE 7410 7411
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:7410/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Node is process 1 and handles SIGTERM itself: the robot is stopped first, then the service ends with 0.
STOPSIGNAL SIGTERM
ENTRYPOINT ["node", "dist/server/main.js"]
CMD ["serve"]
