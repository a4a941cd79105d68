# Curriculab for a class: `docker build -t curriculab .`, then
# `docker run --rm -p 8501:8501 --memory 4g -v curriculab-runs:/data curriculab`.
FROM python:3.11-slim-bookworm AS build
WORKDIR /source
COPY requirements.lock pyproject.toml README.md LICENSE ./
RUN python -m venv /opt/curriculab \
 && /opt/curriculab/bin/pip install --no-cache-dir --require-hashes -r requirements.lock
COPY core core
COPY data data
COPY dashboard dashboard
RUN /opt/curriculab/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim-bookworm
RUN useradd --system --create-home --home-dir /home/curriculab --shell /usr/sbin/nologin curriculab \
 && install -d -o curriculab -g curriculab /data /sets
COPY --from=build /opt/curriculab /opt/curriculab
ENV PATH=/opt/curriculab/bin:$PATH \
    CURRICULAB_HOME=/data \
    CURRICULAB_MEMORY_GB=2 \
    CURRICULAB_DATA=/sets \
    OMP_NUM_THREADS=1 \
    PYTHONDONTWRITEBYTECODE=1
USER curriculab
WORKDIR /home/curriculab
# By the user who runs them: numba takes only kernels from a folder that it may write to.
RUN python -m core.warmup
# The store of runs, and local copies of the paper's data, which every visitor may look at.
VOLUME ["/data", "/sets"]
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
ENTRYPOINT ["curriculab", "--public", "--host", "0.0.0.0", "--port", "8501", "--no-browser"]
