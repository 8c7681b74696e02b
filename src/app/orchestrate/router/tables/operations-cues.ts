import type { CueTable } from './cue-table.ts'

/** Deployment and infrastructure. */
export const devopsCues: CueTable = {
  en: {
    5: `^ci, helm chart*, docker workflow*, build workflow*, operator chart, github actions, gitlab ci, ci cd, cicd, ci pipeline*, ci is red, azure pipelines, docker compose, dockerfile*, dockerize, dockerise, terraform*, kubernetes,
        helm*, ansible, cloud run, cloudfront, reverse proxy, blue green, deployment pipeline*, circleci, jenkins*, buildkite, argocd, docker image, docker build`,
    4: `deploy, deploys, deploying, deployed, deployment*, docker, k8s, eks, gke, aks, ecs, fargate, nginx, letsencrypt, prometheus, grafana, alerting, staging, cluster*, vpc, pod, pods, ingress,
        load balancer*, heroku, vercel, netlify, autoscal*, ci, pipeline*, playbook*, healthcheck*, health check, continuous integration, continuous deployment, pulumi, cloudformation, app service, on merge, on push, on every push, on every pull request, on pull request, on every commit`,
    3: 'workflow, workflows, image, registry, helmify, operator, chart, infrastructure, monitoring, s3, environments, hosts, memory limit*, systemd, rollback*, container*, dns, certificate*, ssl cert*, tls, iam, bucket*, workflow file, on every pr, runner*',
    2: 'server, servers, logs, provision*, environment, prod, production, release, rds, hosted, build on, metrics, bastion, uptime, yaml, self hosted',
    1: 'set up, setup, configure, automatically, install*',
  },
  de: {
    5: 'ci pipeline*, ci-pipeline*, deployment*, bereitstell*',
    4: 'deployt, deploy*, ausroll*, pipeline*, docker*, kubernetes, container*',
    3: 'infrastruktur*, uberwachung*, server einricht*, umgebung*, cluster*',
    2: 'server*, produktion*, einricht*, richte',
  },
  fr: {
    5: 'integration continue, deploiement continu, dockerise*',
    4: 'deploie*, deployer, deploiement*, pipeline*, docker*, kubernetes',
    3: 'infrastructure*, serveur de production, conteneur*, supervision',
    2: 'configure*, serveur*, production',
  },
  es: {
    5: 'integracion continua, despliegue continuo',
    4: 'despliega*, desplegar, despliegue*, pipeline*, docker*, kubernetes',
    3: 'infraestructura*, contenedor*, monitoreo*',
    2: 'configura*, servidor*, produccion',
  },
  pt: {
    5: 'integracao continua, deploy automatico, implantacao continua',
    4: 'deploy*, implante*, implantar, implantacao*, pipeline*, docker*, kubernetes',
    3: 'infraestrutura*, conteiner*, container*, monitoramento*',
    2: 'configure*, configura*, servidor*, producao',
  },
  it: {
    5: 'integrazione continua, rilascio automatico, pipeline per il rilascio',
    4: 'deploy*, rilascia*, rilascio*, pipeline*, docker*, kubernetes',
    3: 'infrastruttura*, container*, monitoraggio*',
    2: 'configura*, server*, produzione, prepara*',
  },
  ru: {
    5: 'ci cd, непрерывн* интеграц*, пайплайн*',
    4: 'деплой*, деплое*, задеплой*, разверн*, развертыван*, docker*, докер*, kubernetes, кубер*',
    3: 'инфраструктур*, мониторинг*, контейнер*, кластер*',
    2: 'настрой*, настроить, прод, сервер*',
  },
  zh: {
    5: 'ci/cd, 持续集成, 流水线, 自动部署',
    4: '部署, 上线, 容器, 集群',
    3: '运维, 监控, 服务器配置, 镜像',
    2: '配置, 生产环境',
  },
  ja: {
    5: '自動デプロイ, 継続的インテグレーション, ciパイプライン',
    4: 'デプロイ, パイプライン, コンテナ, クラスタ',
    3: 'インフラ, 監視, サーバー構築',
    2: '設定, 本番環境',
  },
  ko: {
    5: '자동 배포, 지속적 통합',
    4: '배포, 파이프라인, 컨테이너, 쿠버네티스, 도커',
    3: '인프라, 모니터링, 클러스터',
    2: '설정, 운영 서버',
  },
}

export const dataCues: CueTable = {
  en: {
    5: `sql query, database schema*, db schema*, data pipeline*, etl, elt, data warehouse*, bigquery, redshift, snowflake, airflow, dbt, foreign key*, write a migration, database migration*, db migration*, schema migration*,
        train a model, fine tune, finetune, machine learning, ml model*, dataset*, data model*, synapse`,
    4: 'migration that, populate, backfill*, sql, kafka, parquet, pandas, spark, dataframe*, seed the database, normalize the, stored procedure*, data lake*, stream from, missing indexes, add an index, an index on, predicts, classifier*, embedding*, jupyter, notebook*, duplicate rows, foreign',
    3: 'training, checkpoint*, gpu, epoch*, inference, trained, tables and views, another schema, database*, postgres*, mysql, mongodb, schema*, query, queries, table, tables, column to, status column, index, indexes, csv file, dump, sqlite, model that, dag, warehouse, feature engineering, materialized view*',
    2: 'rows, column*, records, data, migration*, model*, outlier*, missing values, entity, fake data',
    1: 'csv, json, write, design',
  },
  de: {
    5: 'datenbankschema*, sql abfrage*, migration die, datenbankmigration*',
    4: 'migration*, datenbank*, sql, datensatz*, datensatze',
    3: 'tabelle*, abfrage*, spalte*, datenmodell*, index',
    2: 'daten*, zeilen',
  },
  fr: {
    5: 'schema de base de donnees, base de donnees, requete sql, jeu de donnees, migration de donnees',
    4: 'sql, migration*',
    3: 'requete*, table, tables, colonne*, schema*',
    2: 'donnees, modele*',
  },
  es: {
    5: 'consulta sql, esquema de base de datos, migracion de datos',
    4: 'sql, base de datos, consulta*, migracion*',
    3: 'tabla*, columna*, esquema*',
    2: 'datos, modelo*, registros duplicados',
  },
  pt: {
    5: 'consulta sql, esquema do banco, migracao para adicionar, uma migracao',
    4: 'sql, banco de dados, consulta*',
    3: 'tabela*, coluna*, migracao*, esquema*',
    2: 'dados, modelo*',
  },
  it: {
    5: 'query sql, schema del database, una migrazione',
    4: 'sql, query, database, base di dati',
    3: 'tabella*, colonna*, migrazione*, schema',
    2: 'dati, modello*',
  },
  ru: {
    5: 'sql запрос*, схем* базы данных, миграци*',
    4: 'sql, базы данных, базу данных, база данных, бд',
    3: 'таблиц*, запрос для, схем*, колонк*, индекс*, датасет*',
    2: 'данны*, запрос*, модел*, дубликат*',
  },
  zh: {
    5: 'sql查询, 数据库, 数据迁移, 数据表, 数据集, 训练模型',
    4: 'sql, 查询, 迁移脚本',
    3: '表结构, 字段索引, 索引, 数据管道',
    2: '数据, 记录',
  },
  ja: {
    5: 'sqlを, データベース, データセット, マイグレーション, スキーマ',
    4: 'sql, クエリ',
    3: 'テーブル, インデックス, カラム',
    2: 'データ, レコード',
  },
  ko: {
    5: 'sql 쿼리, 데이터베이스, 데이터셋, 마이그레이션, 스키마',
    4: 'sql, 쿼리',
    3: '테이블, 인덱스, 컬럼',
    2: '데이터, 레코드',
  },
}
