# builds the web app with the tools that the image does not carry
FROM node:24-slim AS web
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
COPY web ./web
RUN npm ci
COPY src ./src
COPY scripts ./scripts
RUN npm run build:web

FROM node:24-slim
# isolates the processes that read files
RUN apt-get update \
  && apt-get install -y --no-install-recommends bubblewrap \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json .npmrc LICENSE ./
COPY packages ./packages
COPY web/package.json ./web/
# the packages of the web app are in its build
RUN npm ci --omit=dev --include-workspace-root --workspace=packages/to-markdown
COPY src ./src
COPY bin ./bin
# first starts copy it
RUN bin/parlance prepare
COPY --from=web /app/web/dist ./web/dist
RUN mkdir /data && chown node /data
USER node
ENV HOST=0.0.0.0 DATA_DIR=/data NODE_COMPILE_CACHE=/data/compiled
VOLUME /data
EXPOSE 4000
HEALTHCHECK --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||4000)+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["bin/parlance", "serve"]
