"""The command line and the pipeline that joins the stages."""
